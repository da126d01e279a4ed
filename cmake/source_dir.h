// Included before each test. TORCHWELD_SOURCE_DIR names the tree that a test reads sources from: that of the variable
// of this name, which a staged tree sets, else the one that the test was built in. Directives only, since a precompiled
// header must come before the first declaration; GoogleTest brings the two headers that this wants.
#pragma once

#define TORCHWELD_SOURCE_DIR                                                                                           \
  (::std::getenv("TORCHWELD_SOURCE_DIR") ? ::std::string(::std::getenv("TORCHWELD_SOURCE_DIR"))                        \
                                         : ::std::string(TORCHWELD_BUILT_IN))
