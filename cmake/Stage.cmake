# cmake --install --component tests: what a tree needs beside a plain install to run the tests on another machine.
# `make stage` installs both. LibTorch stays outside.

install(PROGRAMS scripts/run-tests.sh DESTINATION . COMPONENT tests EXCLUDE_FROM_ALL)
install(DIRECTORY python examples bench DESTINATION . COMPONENT tests EXCLUDE_FROM_ALL OPTIONAL
        PATTERN "__pycache__" EXCLUDE)
# Some tests read sources, and some compile them.
install(DIRECTORY graph fusion codegen runtime frontend report cli tests docs DESTINATION .
        COMPONENT tests EXCLUDE_FROM_ALL
        FILES_MATCHING PATTERN "*.h" PATTERN "*.cpp" PATTERN "*.cu" PATTERN "*.cuh" PATTERN "*.py" PATTERN "*.txt"
        PATTERN "options.md" PATTERN "CMakeLists.txt" EXCLUDE PATTERN "__pycache__" EXCLUDE)
foreach(target torchweld_tests torchweld_torch_tests)
  if(TARGET ${target})
    install(TARGETS ${target} COMPONENT tests EXCLUDE_FROM_ALL)
  endif()
endforeach()
