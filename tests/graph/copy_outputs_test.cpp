#include "graph/expect.h"

namespace torchweld::graph {
namespace {

/// The graph that is planned for a region, as text.
std::string with_copied_outputs(const std::string& region) {
  const Graph graph = parse(region);
  const Graph typed = std::get<Graph>(infer(graph, facts_of(graph)));
  const Graph primitive = simplify_primitives(std::get<Graph>(lower(typed)));
  return to_text(copy_outputs(primitive, memory_of_outputs(typed)));
}

TEST(CopyOutputs, CopiesAReductionThatChangesNothing) {
  EXPECT_EQ(with_copied_outputs("graph(%x: f32[]): %a: tensor = aten::sum(%x, None) return %a"),
            "graph(%x: f32[]):\n  %1: f32[] = torchweld::cast(%x)\n  return %1\n");
}

TEST(CopyOutputs, CopiesAViewOfArithmeticThatChangesNothing) {
  EXPECT_EQ(with_copied_outputs("graph(%x: f32[2,3]): %a: tensor = aten::mul.Scalar(%x, 1) "
                                "%b: tensor = aten::view(%a, [6]) return %b"),
            "graph(%x: f32[2,3]):\n  %b: f32[6] = torchweld::reshape(%x, [6])\n"
            "  %2: f32[6] = torchweld::cast(%b)\n  return %2\n");
}

TEST(CopyOutputs, TellsApartTwoReductionsThatChangeNothing) {
  EXPECT_EQ(with_copied_outputs("graph(%x: f32[]): %a: tensor = aten::relu(%x) %b: tensor = aten::sum(%a, None) "
                                "%c: tensor = aten::amax(%a, [], False) return %b, %c"),
            "graph(%x: f32[]):\n  %a: f32[] = aten::relu(%x)\n  %2: f32[] = torchweld::cast(%a)\n  return %a, %2\n");
}

TEST(CopyOutputs, LeavesWhatEagerReturnsAsAnInputOrTwice) {
  const std::string expected = "graph(%x: f32[2,3]):\n  %a: f32[6] = torchweld::reshape(%x, [6])\n"
                               "  %b: f32[2,3] = aten::relu(%x)\n  return %x, %a, %b, %b\n";
  EXPECT_EQ(with_copied_outputs("graph(%x: f32[2,3]): %a: tensor = aten::reshape(%x, [6]) "
                                "%b: tensor = aten::relu(%x) %c: tensor = aten::contiguous(%b, 0) "
                                "return %x, %a, %b, %c"),
            expected);
}

}  // namespace
}  // namespace torchweld::graph
