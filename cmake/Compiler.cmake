# Language, warnings and output folders of every target of ours.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
# What is installed finds LibTorch where it was linked. The wheel overrules both: it lies beside LibTorch's own.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib" CACHE STRING "Where installed files look for libraries")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON CACHE BOOL "Whether installed files also look where they were linked")

# -g1 keeps line numbers in backtraces; full debug records of LibTorch's headers would double the link time.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")

# With precompiled headers ccache needs the two sloppiness flags, and g++ needs -fpch-preprocess. The other two let clones
# and build folders share what they compile.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_NOHASHDIR=1
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${CCACHE})
endif()

add_library(torchweld_options INTERFACE)
target_include_directories(torchweld_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_compile_options(torchweld_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(torchweld_options INTERFACE -fpch-preprocess)
endif()
if(TORCHWELD_WERROR)
  target_compile_options(torchweld_options INTERFACE -Werror)
endif()
if(TORCHWELD_SANITIZE)
  target_compile_options(torchweld_options INTERFACE
    -fsanitize=${TORCHWELD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(torchweld_options INTERFACE -fsanitize=${TORCHWELD_SANITIZE})
endif()

# Sets `result` to the sources under the current folder. A folder without any still makes a library.
function(torchweld_sources result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "EXCLUDE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(pattern IN LISTS arg_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  if(NOT sources)
    set(sources ${PROJECT_SOURCE_DIR}/cmake/empty.cpp)
  endif()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# A library of all sources under the current folder. KIND is STATIC, or OBJECT where registration at load time
# must survive the linker.
function(torchweld_add_library name kind)
  torchweld_sources(sources)
  add_library(${name} ${kind} ${sources})
  target_link_libraries(${name} PUBLIC torchweld_options)
endfunction()
