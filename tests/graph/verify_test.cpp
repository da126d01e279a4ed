#include "graph/expect.h"
#include "graph/op.h"

namespace torchweld::graph {
namespace {

void expect_invalid(const std::string& node, const std::string& message) {
  const Graph graph = parse("graph(%x: f32[4,8], %y: f32[3]): " + node + " return %a");
  try {
    verify(graph);
    ADD_FAILURE() << "verified: " << node;
  } catch (const InternalError& error) {
    EXPECT_EQ(error.what(), "node 0: " + message);
  }
}

TEST(Verify, NamesTheNodeAndTheInvariantItBreaks) {
  expect_invalid("%a: f32[4,8] = torchweld::add(%x)", "torchweld::add: has 1 operands, its expression names 2");
  expect_invalid("%a: f32[4,8] = torchweld::add(%x, %y)", "torchweld::add: has operands that do not broadcast");
  expect_invalid("%a: f32[4] = torchweld::add(%x, 1)",
                 "torchweld::add: result is not the sizes that the operands broadcast to");
  expect_invalid("%a: f32[4,8] = aten::lt.Scalar(%x, 1)", "aten::lt.Scalar: result is not bool");
  expect_invalid("%a: i64[4,8] = aten::exp(%x)", "aten::exp: result is not a float dtype");
  expect_invalid("%a: f32[8] = torchweld::sum(%x, [1])",
                 "torchweld::sum: result is not the operand's sizes less the reduced dims");
  expect_invalid("%a: f32[] = torchweld::sum(%x, [1, 0])", "torchweld::sum: dims is not sorted");
  expect_invalid("%a: f32[4] = torchweld::sum(%x, [2])", "torchweld::sum: dims is not dims of the operand");
  expect_invalid("%a: f32[4,8] = torchweld::permute(%x, [1, 0])",
                 "torchweld::permute: result is not the operand's sizes permuted");
  expect_invalid("%a: f32[4,8] = torchweld::permute(%x, [1, 1])", "torchweld::permute: dims is not a permutation");
  expect_invalid("%a: f32[31] = torchweld::reshape(%x, [31])",
                 "torchweld::reshape: result is not as many elements as the operand");
  expect_invalid("%a: f32[8,8] = torchweld::expand(%x, [8, 8])",
                 "torchweld::expand: result is not larger than the operand only where that has size 1");
  expect_invalid("%a: f32[4,4] = torchweld::slice(%x, 1, 5, 1)",
                 "torchweld::slice: result is not a part of the operand along one dim");
  expect_invalid("%a: f32[8,8] = torchweld::cat([%x, %y], 0)", "torchweld::cat: operand is not of the result's rank");
  expect_invalid("%a: f16[8,4] = torchweld::permute(%x, [1, 0])",
                 "torchweld::permute: result is not the operand's dtype");
  expect_invalid("%a: f32[4] = aten::size.int(%x, 0)",
                 "aten::size.int: is evaluated on the host and has no place in a typed graph");
}

TEST(Verify, AcceptsNegativeStepsAndEmptySlices) {
  verify(parse("graph(%x: f32[4]): %a: f32[4]{-1} = torchweld::slice(%x, 0, 3, -1) return %a"));
  verify(parse("graph(%x: f32[4]): %a: f32[0] = torchweld::slice(%x, 0, 4, 1) return %a"));
}

TEST(Graph, AcceptsOnlyValuesThatExist) {
  Graph graph;
  EXPECT_THROW(graph.add(*find_op("aten::relu"), {Value{0}}, {}), InternalError);
  EXPECT_THROW(graph.set_outputs({Value{3}}), InternalError);
}

TEST(ComputeDtype, IsWhereOperandsMeet) {
  const Graph graph = parse(R"(graph(%x: bf16[4], %n: i64[4]):
    %a: bf16[4] = aten::exp(%x)
    %b: bool[4] = aten::lt.Tensor(%x, %n)
    %c: bool[4] = aten::lt.Scalar(%n, 0.5)
    %d: bool[4] = aten::lt.Scalar(%n, 1)
    %e: f64[4] = torchweld::cast(%n)
    %f: i64[] = torchweld::argmax(%x, [0])
    %g: bf16[] = torchweld::sum(%x, [0])
    return %a)");
  std::vector<std::string_view> names;
  for (const Node& node : graph.nodes()) names.push_back(name_of(compute_dtype(graph, node)));
  EXPECT_EQ(names, (std::vector<std::string_view>{"f32", "f32", "f32", "i64", "f64", "f32", "f32"}));
}

}  // namespace
}  // namespace torchweld::graph
