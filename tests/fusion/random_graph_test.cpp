#include <gtest/gtest.h>

#include <cmath>

#include "fusion/interpret_graph.h"
#include "fusion/primitives.h"
#include "fusion/random_graph.h"
#include "fusion/sink_slices.h"

namespace torchweld {
namespace {

using graph::Graph;
using graph::Value;
using testing::Memory;

/// What the groups of the plan compute equals what the graph computes node by node.
void expect_plan_computes_graph(const Graph& graph, bool fuse, const Memory& inputs, const std::string& where) {
  SCOPED_TRACE(where + (fuse ? " fused\n" : " unfused\n") + to_text(graph));
  const Memory expected = testing::interpret(graph, inputs);
  Memory memory = inputs;
  try {
    testing::interpret(graph, testing::plan_of(graph, fuse), memory);
  } catch (const std::exception& error) {
    FAIL() << error.what();
  }
  for (const Value output : graph.outputs()) {
    // Inputs and views of inputs are the caller's.
    if (!memory.contains(output) || graph.producer(output) < 0) continue;
    const auto found = testing::elements_of(graph.tensor(output), memory.at(output));
    const auto& wanted = expected.at(output);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t at = 0; at < found.size(); ++at) {
      if (std::isnan(wanted[at]) && std::isnan(found[at])) continue;
      if (wanted[at] == found[at]) continue;  // infinities
      ASSERT_NEAR(found[at], wanted[at], 1e-9 * std::max(1.0, std::fabs(wanted[at])))
          << "%" << output.index << " element " << at;
    }
  }
}

TEST(RandomGraphs, PlansComputeWhatTheGraphDoes) {
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    const Graph graph = testing::random_graph(seed, 3 + static_cast<int>(seed % 13));
    verify(graph);
    const Memory inputs = testing::random_inputs(graph, seed);
    for (const bool fuse : {true, false})
      expect_plan_computes_graph(graph, fuse, inputs, "seed " + std::to_string(seed));
    if (HasFailure()) return;
  }
}

TEST(RandomGraphs, SinkingSlicesKeepsWhatTheyCompute) {
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    const Graph graph = testing::random_graph(seed, 3 + static_cast<int>(seed % 13));
    const Graph sunk = fusion::sink_slices(graph);
    verify(sunk);
    const Memory inputs = testing::random_inputs(graph, seed);
    const Memory before = testing::interpret(graph, inputs);
    const Memory after = testing::interpret(sunk, inputs);
    for (std::size_t at = 0; at < graph.outputs().size(); ++at)
      ASSERT_EQ(after.at(sunk.outputs()[at]), before.at(graph.outputs()[at])) << "seed " << seed << "\n"
                                                                              << to_text(graph);
  }
}

TEST(RandomGraphs, FusionNeverMovesMoreBytes) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const Graph graph = testing::random_graph(seed, 12);
    EXPECT_LE(testing::plan_of(graph, true).bytes_planned, testing::plan_of(graph, false).bytes_planned)
        << "seed " << seed << "\n"
        << to_text(graph);
  }
}

}  // namespace
}  // namespace torchweld
