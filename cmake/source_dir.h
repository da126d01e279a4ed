// Included before each test that needs no LibTorch. TORCHWELD_SOURCE_DIR names the tree that a test reads sources from:
// that of the variable of this name, which a staged tree sets, else the one that the test was built in.
#pragma once

#include <cstdlib>
#include <string>

inline std::string torchweld_source_dir() {
  const char* staged = std::getenv("TORCHWELD_SOURCE_DIR");
  return staged != nullptr ? staged : TORCHWELD_BUILT_IN;
}

#define TORCHWELD_SOURCE_DIR torchweld_source_dir()
