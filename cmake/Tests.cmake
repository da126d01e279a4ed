# How test binaries are built and found by ctest.

include(GoogleTest)

# TORCHWELD_CXX is for tests that compile sources.
function(torchweld_add_tests name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE torchweld_options GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE TORCHWELD_CXX="${CMAKE_CXX_COMPILER}")
endfunction()

# Gives tests TORCHWELD_SOURCE_DIR. Not for those with a precompiled header, which must be the first file included.
function(torchweld_tests_read_sources name)
  target_compile_options(${name} PRIVATE -include ${PROJECT_SOURCE_DIR}/cmake/source_dir.h)
  target_compile_definitions(${name} PRIVATE TORCHWELD_BUILT_IN="${PROJECT_SOURCE_DIR}")
endfunction()

# One ctest entry for each source file, found by reading the sources when ctest starts: starting a LibTorch process to
# ask for its tests, and then one for every test, would take seconds each.
function(torchweld_discover_by_file name)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE files)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${name}_entries.cmake)
  file(GENERATE OUTPUT ${script} CONTENT
"set(binary [==[$<TARGET_FILE:${name}>]==])
set(root [==[${CMAKE_CURRENT_SOURCE_DIR}]==])
set(files [==[${files}]==])
include([==[${PROJECT_SOURCE_DIR}/cmake/tests_by_file.cmake]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()
