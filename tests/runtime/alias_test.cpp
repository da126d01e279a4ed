// What TorchScript's own passes believe of our operators.
#include <gtest/gtest.h>
#include <torch/csrc/jit/ir/alias_analysis.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/ir/irparser.h>
#include <torch/csrc/jit/passes/common_subexpression_elimination.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include "runtime/execute.h"

namespace torchweld::runtime {
namespace {

std::shared_ptr<torch::jit::Graph> graph_from(const char* text) {
  auto graph = std::make_shared<torch::jit::Graph>();
  torch::jit::parseIR(text, graph.get());
  return graph;
}

std::size_t count(const torch::jit::Graph& graph, const char* op) {
  std::size_t found = 0;
  for (const auto* node : graph.nodes()) found += node->kind() == c10::Symbol::fromQualString(op);
  return found;
}

/// Two calls with equal arguments, whose results nobody uses.
constexpr auto kTwoWrites = R"(
graph(%x : Tensor, %r : __torch__.torch.classes.torchweld.Region):
  %written : Tensor[] = prim::ListConstruct(%x)
  %inputs : Tensor?[] = prim::ListConstruct()
  %scalars : Scalar[] = prim::ListConstruct()
  %a : Tensor[] = torchweld::execute_(%written, %inputs, %scalars, %r)
  %b : Tensor[] = torchweld::execute_(%written, %inputs, %scalars, %r)
  return (%x))";

constexpr auto kTwoReads = R"(
graph(%x : Tensor, %r : __torch__.torch.classes.torchweld.Region):
  %inputs : Tensor?[] = prim::ListConstruct(%x)
  %scalars : Scalar[] = prim::ListConstruct()
  %a : Tensor[] = torchweld::execute(%inputs, %scalars, %r)
  %b : Tensor[] = torchweld::execute(%inputs, %scalars, %r)
  return (%a, %b))";

TEST(ExecuteWriting, SurvivesDeadCodeElimination) {
  const auto graph = graph_from(kTwoWrites);
  torch::jit::EliminateDeadCode(graph);
  EXPECT_EQ(count(*graph, "torchweld::execute_"), 2u);
}

TEST(ExecuteWriting, IsNotMergedWithAnEqualCall) {
  const auto graph = graph_from(kTwoWrites);
  torch::jit::EliminateCommonSubexpression(graph);
  EXPECT_EQ(count(*graph, "torchweld::execute_"), 2u);
}

TEST(ExecuteWriting, IsKnownToWriteItsArgument) {
  const auto graph = graph_from(kTwoWrites);
  EXPECT_TRUE(torch::jit::AliasDb(graph).hasWriters(graph->inputs()[0]));
}

TEST(Execute, OfUnusedResultsIsDeadCode) {
  const auto graph = graph_from(kTwoReads);
  graph->eraseOutput(1);
  torch::jit::EliminateDeadCode(graph);
  EXPECT_EQ(count(*graph, "torchweld::execute"), 1u);
}

}  // namespace
}  // namespace torchweld::runtime
