#include <gtest/gtest.h>

#include "codegen/cases.h"
#include "codegen/run_kernels.h"
#include "fusion/random_graph.h"

namespace torchweld {
namespace {

void expect_host_kernels_right(const std::vector<testing::NamedRegion>& regions) {
  std::vector<testing::Case> cases;
  for (const auto& [name, region] : regions) {
    SCOPED_TRACE(name);
    ASSERT_NO_THROW(cases.push_back(testing::case_of(name, region)));
    if (!testing::is_small(cases.back())) cases.pop_back();
  }
  const std::vector<testing::Memory> results = testing::run_on_host(cases);
  for (std::size_t i = 0; i < cases.size(); ++i)
    testing::expect_close(cases[i], results[i], testing::interpreted(cases[i]));
}

TEST(HostKernels, PointwiseGroupsComputeWhatTheGroupSays) { expect_host_kernels_right(testing::pointwise_regions()); }

TEST(HostKernels, RowGroupsComputeWhatTheGroupSays) { expect_host_kernels_right(testing::row_regions()); }

TEST(HostKernels, NanAndInfinityArriveAsTheGroupSays) {
  std::vector<testing::Case> cases;
  for (const auto& [name, region] : testing::special_value_regions())
    if (!name.starts_with("arg"))  // the interpreter's takes no notice of NaN
      cases.push_back(testing::with_special_values(testing::case_of(name, region)));
  const std::vector<testing::Memory> results = testing::run_on_host(cases);
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (testing::is_small(cases[i])) testing::expect_close(cases[i], results[i], testing::interpreted(cases[i]));
}

TEST(HostKernels, RandomGraphsComputeWhatTheGroupsSay) {
  std::vector<testing::Case> cases;
  for (std::uint32_t seed = 0; seed < 120; ++seed)
    cases.push_back(testing::case_of("seed " + std::to_string(seed), testing::random_graph(seed, 4 + int(seed) % 9)));
  const std::vector<testing::Memory> results = testing::run_on_host(cases);
  for (std::size_t i = 0; i < cases.size(); ++i)
    testing::expect_close(cases[i], results[i], testing::interpreted(cases[i]));
}

}  // namespace
}  // namespace torchweld
