#include <gtest/gtest.h>

#include "graph/passes.h"
#include "torchweld/error.h"

namespace torchweld::graph {
namespace {

void expect_round_trip(const std::string& text) { EXPECT_EQ(to_text(parse(text)), text); }

void expect_parse_error(const std::string& text, const std::string& message) {
  try {
    (void)parse(text);
    ADD_FAILURE() << "parsed: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST(Text, PrintsWhatItParses) {
  expect_round_trip(R"(graph(%x: f32[8]):
  %a: f32[8] = aten::relu(%x)
  %b: f32[8] = aten::add.Tensor(%a, %x, 1)
  return %b
)");
}

TEST(Text, HasEveryKindOfType) {
  expect_round_trip(
      R"(graph(%a: bf16[8,4]{1,8}@cuda, %b: i64[], %c: bool[0,3]@align4, %d: f64[]@number, %e: tensor, %f: int, %g: float, %h: bool, %i: list):
  return %a, %e
)");
}

TEST(Text, HasEveryKindOfOperand) {
  expect_round_trip(R"(graph(%x: tensor):
  %a: tensor = aten::relu(%x, None, True, False, -3, 0.5, 1.0, 1e-05, -0.0, inf, -inf, nan, "a \"b\" \\", [1, [%x, 2.0]], [])
  return %a
)");
}

TEST(Text, HasNodesOfSeveralResultsAndPrimitives) {
  expect_round_trip(R"(graph(%x: f32[4,5]):
  %a: f32[4], %b: i64[4] = torchweld::sum(%x, [1])
  return %b, %a
)");
}

TEST(Text, NumbersValuesWithoutAUsableName) {
  Graph graph;
  const Value a = graph.add_input(UntypedTensor{}, "x");
  graph.add_input(UntypedTensor{}, "x");
  graph.add_input(UntypedTensor{}, "a b");
  graph.add_input(UntypedTensor{}, "7");
  graph.set_outputs({a});
  EXPECT_EQ(to_text(graph), "graph(%x: tensor, %1: tensor, %2: tensor, %3: tensor):\n  return %x\n");
}

TEST(Text, NamesDoNotCountInComparisonButTypesAndLiteralsDo) {
  const Graph graph = parse("graph(%x: f32[8]): %a: f32[8] = aten::mul.Tensor(%x, 0.0) return %a");
  EXPECT_EQ(graph, parse("graph(%y: f32[8]): %1: f32[8] = aten::mul.Tensor(%y, 0.0) return %1"));
  EXPECT_NE(graph, parse("graph(%x: f32[9]): %a: f32[8] = aten::mul.Tensor(%x, 0.0) return %a"));
  EXPECT_NE(graph, parse("graph(%x: f32[8]): %a: f32[8] = aten::mul.Tensor(%x, -0.0) return %a"));
  EXPECT_NE(graph, parse("graph(%x: f32[8]): %a: f32[8] = aten::mul.Tensor(%x, 0) return %a"));
  EXPECT_NE(graph, parse("graph(%x: f32[8]): %a: f32[8] = aten::mul.Tensor(%x, 0.0) return %x"));
}

TEST(Parse, NamesLineAndColumnWhatWasFoundAndWhatWasExpected) {
  expect_parse_error("grph(%x: f32[8]):", R"(graph text:1:1: found "grph(%x:", expected "graph(")");
  expect_parse_error("graph(%x: f32[8]):\n  %a: f32[8] = aten::reluu(%x)\n  return %a",
                     "graph text:2:16: unknown op aten::reluu, expected a row of the op table");
  expect_parse_error("graph(%x: f32[8]):\n  return %y", "graph text:2:10: %y is not defined");
  expect_parse_error("graph(%x: f32[8], %x: f32[8]):\n  return %x", "graph text:1:19: %x is defined twice");
  expect_parse_error("graph(%x: f33[8]): return %x",
                     "graph text:1:11: unknown dtype f33, expected f64 f32 f16 bf16 i64 i32 i16 i8 u8 or bool");
  expect_parse_error("graph(%x: f32[8,4]{1}): return %x", "graph text:1:19: found 1 strides, expected 2");
  expect_parse_error("graph(%x: thing): return %x",
                     "graph text:1:11: unknown type thing, expected a tensor such as f32[8,4], tensor, int, float, "
                     "bool or list");
  expect_parse_error("graph(%x: f32[8]@gpu): return %x",
                     "graph text:1:18: unknown property of a tensor, expected @cuda, @number or @align4");
  expect_parse_error("graph(%x: tensor):\n  %a: tensor = aten::relu(%x, yes)\n  return %a",
                     R"(graph text:2:31: found "yes", expected a number, True, False or None)");
  expect_parse_error("graph(%x: tensor):\n  %a: tensor = aten::relu(%x",
                     "graph text:2:29: found the end of the text, expected \",\" or \")\"");
  expect_parse_error("graph(): return 5", "graph text:1:17: found \"5\", expected a value such as %x");
  expect_parse_error("", "graph text:1:1: found the end of the text, expected \"graph(\"");
  expect_parse_error("graph(%x: f32[99999999999999999999]): return %x",
                     "graph text:1:15: found \"99999999999999999999\", expected an integer of 64 bits");
}

}  // namespace
}  // namespace torchweld::graph
