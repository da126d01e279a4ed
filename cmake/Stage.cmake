# cmake --install: a relocatable tree with the tests in it; LibTorch stays outside.

install(FILES LICENSE DESTINATION .)
install(PROGRAMS scripts/run-tests.sh DESTINATION .)
install(DIRECTORY include/ DESTINATION include)
foreach(folder python examples bench tests)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${folder})
    install(DIRECTORY ${folder} DESTINATION . PATTERN "__pycache__" EXCLUDE PATTERN "*.pyc" EXCLUDE
                                              PATTERN "CMakeLists.txt" EXCLUDE)
  endif()
endforeach()
foreach(target torchweld-opt torchweld-tool torchweld torchweld_tests torchweld_torch_tests)
  if(TARGET ${target})
    install(TARGETS ${target})
  endif()
endforeach()
