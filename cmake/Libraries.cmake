# Third-party libraries: header-only or static, so that a staged tree needs nothing but LibTorch and CUDA's libraries.

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost REQUIRED)  # headers only: Boost.Graph
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)

# Everything that our code may include, as one target.
add_library(torchweld_third_party INTERFACE)
target_link_libraries(torchweld_third_party INTERFACE
  fmt::fmt-header-only nlohmann_json::nlohmann_json CLI11::CLI11 Boost::headers Threads::Threads)
get_target_property(spdlog_includes spdlog::spdlog_header_only INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(torchweld_third_party SYSTEM INTERFACE ${spdlog_includes} ${XXHASH_INCLUDE_DIR})
target_compile_definitions(torchweld_third_party INTERFACE SPDLOG_FMT_EXTERNAL XXH_INLINE_ALL)
target_link_libraries(torchweld_options INTERFACE torchweld_third_party)

# The LibTorch wheel carries another release of fmt in its include folder, which would come before the system's.
# A folder with a link to the system's fmt comes before both.
get_target_property(fmt_includes fmt::fmt-header-only INTERFACE_INCLUDE_DIRECTORIES)
find_path(FMT_INCLUDE_DIR fmt/format.h HINTS ${fmt_includes} NO_DEFAULT_PATH REQUIRED)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/third_party)
file(CREATE_LINK ${FMT_INCLUDE_DIR}/fmt ${PROJECT_BINARY_DIR}/third_party/fmt SYMBOLIC)
target_include_directories(torchweld_third_party SYSTEM BEFORE INTERFACE ${PROJECT_BINARY_DIR}/third_party)
