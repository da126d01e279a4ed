#include <gtest/gtest.h>

#include "codegen/cases.h"
#include "codegen/run_kernels.h"
#include "emulation/emulation.h"
#include "fusion/random_graph.h"

namespace torchweld {
namespace {

/// CUDA text on the CPU under sanitizers: threads in several orders, buffers without a byte to spare. It must compute
/// what host kernels do, which the interpreter checks.
class EmulatedKernels : public ::testing::Test {
protected:
  void SetUp() override {
    if (const std::string reason = emulation::why_unavailable(); !reason.empty()) GTEST_SKIP() << reason;
  }
  static void expect_right(const std::vector<testing::Case>& cases) {
    codegen::Target target;
    target.backend = codegen::Backend::cuda;
    target.multiprocessors = 4;  // so that small problems fill it, as large ones fill a device
    const std::vector<testing::Memory> results = testing::run_emulated(cases, target);
    const std::vector<testing::Memory> expected = testing::run_on_host(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) testing::expect_close(cases[i], results[i], expected[i]);
  }
  static std::vector<testing::Case> cases_of(const std::vector<testing::NamedRegion>& regions) {
    std::vector<testing::Case> cases;
    for (const auto& [name, region] : regions) cases.push_back(testing::case_of(name, region));
    return cases;
  }
};

TEST_F(EmulatedKernels, PointwiseGroupsComputeWhatHostKernelsDo) {
  expect_right(cases_of(testing::pointwise_regions()));
}

TEST_F(EmulatedKernels, RowGroupsComputeWhatHostKernelsDo) { expect_right(cases_of(testing::row_regions())); }

TEST_F(EmulatedKernels, ColumnGroupsComputeWhatHostKernelsDo) { expect_right(cases_of(testing::column_regions())); }

TEST_F(EmulatedKernels, SplitGroupsComputeWhatHostKernelsDo) { expect_right(cases_of(testing::split_regions())); }

TEST_F(EmulatedKernels, NanAndInfinityArriveAsOnTheHost) {
  std::vector<testing::Case> cases;
  for (testing::Case& a_case : cases_of(testing::special_value_regions()))
    cases.push_back(testing::with_special_values(std::move(a_case)));
  expect_right(cases);
}

TEST_F(EmulatedKernels, RandomGraphsComputeWhatHostKernelsDo) {
  std::vector<testing::Case> cases;
  for (std::uint32_t seed = 0; seed < 40; ++seed)
    cases.push_back(testing::case_of("seed " + std::to_string(seed), testing::random_graph(seed, 4 + int(seed) % 9)));
  expect_right(cases);
}

/// Random graphs are of doubles, whose vectors are short.
graph::Graph with_dtype(const graph::Graph& graph, const std::string& dtype) {
  std::string text = graph::to_text(graph);
  for (std::size_t at = text.find("f64"); at != std::string::npos; at = text.find("f64", at))
    text.replace(at, 3, dtype);
  for (std::size_t at = text.find("@align8"); at != std::string::npos; at = text.find("@align8", at))
    text.replace(at, 7, "@align2");
  return graph::parse(text);
}

TEST_F(EmulatedKernels, RandomGraphsOfLongVectorsComputeWhatHostKernelsDo) {
  std::vector<testing::Case> cases;
  for (std::uint32_t seed = 100; seed < 140; ++seed)
    cases.push_back(testing::case_of("seed " + std::to_string(seed),
                                     with_dtype(testing::random_graph(seed, 4 + int(seed) % 9), "bf16")));
  expect_right(cases);
}

}  // namespace
}  // namespace torchweld
