// Rules about the source tree itself: which folder may know what.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace torchweld {
namespace {

namespace fs = std::filesystem;

/// "path:line: text" of each line in our sources below `folders` that matches, files named in `except` aside.
std::vector<std::string> lines_matching(const std::vector<std::string>& folders, const std::string& pattern,
                                        const std::string& except = "") {
  const std::regex wanted(pattern);
  const fs::path root = TORCHWELD_SOURCE_DIR;
  std::vector<std::string> found;
  for (const std::string& folder : folders) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp" && extension != ".cuh") continue;
      const std::string path = fs::relative(entry.path(), root);
      if (path == except) continue;
      std::ifstream file(entry.path());
      std::string line;
      for (int number = 1; std::getline(file, line); ++number) {
        if (std::regex_search(line, wanted)) found.push_back(path + ":" + std::to_string(number) + ": " + line);
      }
    }
  }
  return found;
}

const std::vector<std::string> kTorchFree = {"graph", "fusion", "codegen"};
const std::vector<std::string> kAll = {"include", "graph", "fusion", "codegen", "runtime", "frontend",
                                       "report",  "cli",   "python", "tests",   "examples"};

TEST(Layout, TheSearchFindsWhatIsThere) { EXPECT_FALSE(lines_matching({"graph"}, R"(#include "graph/)").empty()); }

TEST(Layout, GraphFusionAndCodegenKnowNeitherLibTorchNorCuda) {
  EXPECT_EQ(lines_matching(kTorchFree, R"(#\s*include\s*[<"](torch/|ATen/|c10/|cuda|nvrtc|runtime/|frontend/))"),
            std::vector<std::string>{});
}

TEST(Layout, EachFolderIncludesOnlyThoseBeforeIt) {
  EXPECT_EQ(lines_matching({"graph"}, R"(#include "(fusion|codegen|report|cli)/)"), std::vector<std::string>{});
  EXPECT_EQ(lines_matching({"fusion"}, R"(#include "(codegen|report|cli)/)"), std::vector<std::string>{});
  EXPECT_EQ(lines_matching({"codegen"}, R"(#include "(report|cli)/)"), std::vector<std::string>{});
}

TEST(Layout, BoostGraphStaysOutOfHeaders) {
  for (const std::string& line : lines_matching(kAll, R"(#include <boost/graph)")) {
    EXPECT_NE(line.find(".cpp:"), std::string::npos) << line;
  }
}

TEST(Layout, OnlyOneHeaderTellsLibTorchReleasesApart) {
  EXPECT_EQ(lines_matching({"include", "graph", "fusion", "codegen", "runtime", "frontend", "report", "cli", "python"},
                           "TORCH_VERSION", "frontend/libtorch_compat.h"),
            std::vector<std::string>{});
}

TEST(Layout, HeadersThatCostSecondsAreNeverIncluded) {
  EXPECT_EQ(lines_matching(kAll, R"(#include <(torch/torch|torch/script|ATen/ATen)\.h>)"), std::vector<std::string>{});
}

}  // namespace
}  // namespace torchweld
