# cmake --install: a relocatable tree with the tests in it; LibTorch stays outside.

install(FILES LICENSE DESTINATION .)
install(PROGRAMS scripts/run-tests.sh DESTINATION .)
install(DIRECTORY include/ DESTINATION include)
install(DIRECTORY python examples bench DESTINATION . OPTIONAL PATTERN "__pycache__" EXCLUDE)
# Some tests read sources, and some compile them.
install(DIRECTORY graph fusion codegen runtime frontend report cli tests DESTINATION .
        FILES_MATCHING PATTERN "*.h" PATTERN "*.cpp" PATTERN "*.cu" PATTERN "*.cuh" PATTERN "*.py" PATTERN "*.txt"
        PATTERN "CMakeLists.txt" EXCLUDE PATTERN "__pycache__" EXCLUDE)
foreach(target torchweld-opt torchweld-tool torchweld torchweld_tests torchweld_torch_tests)
  if(TARGET ${target})
    install(TARGETS ${target})
  endif()
endforeach()
