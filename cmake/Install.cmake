# cmake --install: headers, libtorchweld.so, the tools, and what find_package(Torchweld CONFIG) reads.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(target torchweld-opt torchweld-tool)
  if(TARGET ${target})
    install(TARGETS ${target})
  endif()
endforeach()
if(NOT TARGET torchweld)
  return()
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Torchweld)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS torchweld EXPORT torchweld INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT torchweld NAMESPACE Torchweld:: FILE TorchweldTargets.cmake DESTINATION ${package_folder})

configure_file(cmake/TorchweldConfig.cmake.in ${PROJECT_BINARY_DIR}/package/TorchweldConfig.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/TorchweldConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/TorchweldConfig.cmake
              ${PROJECT_BINARY_DIR}/package/TorchweldConfigVersion.cmake DESTINATION ${package_folder})

# What the Python package wants of a build: pip's build runs `cmake --install --component wheel`.
install(TARGETS torchweld LIBRARY DESTINATION . COMPONENT wheel EXCLUDE_FROM_ALL)
