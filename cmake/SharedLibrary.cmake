# libtorchweld.so: everything but the command line tool.

# Puts the whole product into `target`, an executable that reaches below the public interface or the library itself.
# The folders that register operators with LibTorch are OBJECT libraries, which CMake links only when named directly.
# libstdc++ comes first: libtorch.so carries a copy of an older std::filesystem, whose remove_all crashes, and the
# loader takes the first definition that it finds.
function(torchweld_link_everything target)
  target_link_libraries(${target} PRIVATE stdc++ torchweld_runtime torchweld_frontend torchweld_report
                                          torchweld_codegen torchweld_fusion torchweld_graph torch torchweld_options)
endfunction()

add_library(torchweld SHARED cmake/empty.cpp)
torchweld_link_everything(torchweld)
target_link_libraries(torchweld PRIVATE torchweld_python)
target_include_directories(torchweld INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_compile_features(torchweld INTERFACE cxx_std_20)
set(export_map ${PROJECT_SOURCE_DIR}/cmake/exports.map)
target_link_options(torchweld PRIVATE -Wl,--version-script=${export_map})
set_target_properties(torchweld PROPERTIES LINK_DEPENDS ${export_map})
