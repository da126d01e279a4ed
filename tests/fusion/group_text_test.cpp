#include <gtest/gtest.h>

#include "fusion/primitives.h"

namespace torchweld {
namespace {

std::string text_of_only_group(std::string_view primitive) {
  const graph::Graph graph = graph::parse(primitive);
  const fusion::Plan plan = testing::plan_of(graph);
  return plan.groups.size() == 1 ? to_text(graph, plan.groups[0]) : "not one group";
}

std::string name_of_only_group(std::string_view primitive) {
  const graph::Graph graph = graph::parse(primitive);
  return name_of(graph, testing::plan_of(graph).groups.at(0));
}

TEST(GroupText, ShowsLoopsAccessesStatementsAndStores) {
  EXPECT_EQ(text_of_only_group(R"(graph(%x: f32[8,4], %w: f16[4]):
                                    %m: f32[8] = torchweld::max(%x, [1])
                                    %r: f32[8,1] = torchweld::reshape(%m, [8, 1])
                                    %d: f32[8,4] = torchweld::sub(%x, %r)
                                    %y: f32[8,4] = aten::mul.Tensor(%d, %w)
                                    return %y)"),
            R"(axes i0: 8, i1: 4 reduced
a0: f32 %x + 0 {4,1}
a1: f16 %w + 0 {0,1}
a2: f32 %y + 0 {4,1}
v0: f32[i0,i1] = load a0 %x
v1: f32[i0] = reduce max(v0)
v2: f32[i0,i1] = torchweld::sub(v0, v1)
v3: f16[i1] = load a1 %w
v4: f32[i0,i1] = aten::mul.Tensor(v2, v3)
store a2 %y = v4
)");
}

TEST(GroupText, ShowsSlicesFlipsAndBroadcastsAsOffsetsAndStrides) {
  EXPECT_EQ(text_of_only_group(R"(graph(%x: f32[8,4], %w: f32[1,4], %n: float):
                                    %f: f32[6,4]{-4,1} = torchweld::slice(%x, 0, 6, -1)
                                    %e: f32[6,4]{0,1} = torchweld::expand(%w, [6, 4])
                                    %s: f32[6,4] = torchweld::add(%f, %e)
                                    %y: f32[6,4] = aten::mul.Tensor(%s, %n)
                                    return %y)"),
            R"(axes i0: 6, i1: 4
a0: f32 %x + 24 {-4,1}
a1: f32 %w + 0 {0,1}
a2: f32 %y + 0 {4,1}
v0: f32[i0,i1] = load a0 %x
v1: f32[i1] = load a1 %w
v2: f32[i0,i1] = torchweld::add(v0, v1)
v3: f32[i0,i1] = aten::mul.Tensor(v2, %n)
store a2 %y = v3
)");
}

TEST(GroupText, GuardsTheOperandsOfACat) {
  EXPECT_EQ(text_of_only_group(R"(graph(%x: f32[2,3], %y: f32[2,4]):
                                    %r: f32[2,3] = aten::relu(%x)
                                    %k: f32[2,7] = torchweld::cat([%r, %y], 1)
                                    return %k)"),
            R"(axes i0: 2, i1: 7
a0: f32 %x + 0 {3,1} where 0 <= i1 < 3
a1: f32 %y + -3 {4,1} where 3 <= i1 < 7
a2: f32 %k + 0 {7,1}
v0: f32[i0,i1] = load a0 %x
v1: f32[i0,i1] = aten::relu(v0)
v2: f32[i0,i1] = load a1 %y
v3: f32[i0,i1] = choose i1 [0,3,7](v1, v2)
store a2 %k = v3
)");
}

TEST(GroupText, ComputesCreationsFromTheIndex) {
  EXPECT_EQ(text_of_only_group(R"(graph(%x: f32[3,4]):
                                    %a: f32[4] = torchweld::arange(1, 2)
                                    %f: f32[4] = torchweld::full(0.5)
                                    %s: f32[4] = torchweld::add(%a, %f)
                                    %y: f32[3,4] = torchweld::add(%x, %s)
                                    return %y)"),
            R"(axes i0: 3, i1: 4
a0: f32 %x + 0 {4,1}
a1: f32 %y + 0 {4,1}
v0: f32[i1] = position 1 + 2 * i1
v1: f32[i1] = torchweld::add(v0, 0.5)
v2: f32[i0,i1] = load a0 %x
v3: f32[i0,i1] = torchweld::add(v2, v1)
store a1 %y = v3
)");
}

TEST(GroupName, IsMadeOfTheOps) {
  EXPECT_EQ(name_of_only_group(R"(graph(%x: f32[8]):
                                    %s: f32[8] = aten::sigmoid(%x)
                                    %y: f32[8] = aten::mul.Tensor(%x, %s)
                                    return %y)"),
            "sigmoid_mul");
}

TEST(GroupName, OfOneOpIsNoFunctionOfTheTarget) {
  EXPECT_EQ(name_of_only_group(R"(graph(%x: f32[8]):
                                    %y: f32[8] = aten::exp(%x)
                                    return %y)"),
            "exp_kernel");
}

TEST(GroupName, HasAtMost48Letters) {
  std::string text = "graph(%x: f32[8]):\n%y0: f32[8] = aten::sigmoid(%x)\n";
  for (int at = 1; at < 20; ++at)
    text += "%y" + std::to_string(at) + ": f32[8] = aten::sigmoid(%y" + std::to_string(at - 1) + ")\n";
  const std::string name = name_of_only_group(text + "return %y19");
  EXPECT_LE(name.size(), 48U);
  EXPECT_EQ(name, "sigmoid_sigmoid_sigmoid_sigmoid_sigmoid");
}

TEST(GroupBytes, CountEachOperandOnceAndWhatEagerMoves) {
  const graph::Graph graph = graph::parse(R"(graph(%x: f32[8], %w: f32[1]):
                                               %a: f32[8] = torchweld::add(%x, %w)
                                               %y: f32[8] = aten::mul.Tensor(%a, %x)
                                               return %y)");
  const fusion::Plan plan = testing::plan_of(graph);
  EXPECT_EQ(plan.groups.at(0).bytes_read, 36);
  EXPECT_EQ(plan.groups.at(0).bytes_written, 32);
  EXPECT_EQ(plan.bytes_eager, 36 + 32 + 96);
  EXPECT_EQ(plan.bytes_planned, 68);
  EXPECT_EQ(plan.bytes_ideal, 68);
}

}  // namespace
}  // namespace torchweld
