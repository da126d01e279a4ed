#include "graph/expect.h"

namespace torchweld::graph {
namespace {

TEST(MergeCommonSubexpressions, KeepsTheFirstOfTwoEqualNodes) {
  expect_pass(pass_named("merge_common_subexpressions"), R"(graph(%x: f32[8]):
                %a: f32[8] = aten::relu(%x)
                %b: f32[8] = aten::relu(%x)
                %c: f32[8] = aten::mul.Tensor(%a, %b)
                return %c)",
              R"(graph(%x: f32[8]):
                %a: f32[8] = aten::relu(%x)
                %c: f32[8] = aten::mul.Tensor(%a, %a)
                return %c)");
}

TEST(MergeCommonSubexpressions, FollowsChains) {
  expect_pass(pass_named("merge_common_subexpressions"), R"(graph(%x: f32[8]):
                %a: f32[8] = aten::mul.Scalar(%x, 2.0)
                %b: f32[8] = aten::mul.Scalar(%x, 2.0)
                %c: f32[8] = aten::exp(%a)
                %d: f32[8] = aten::exp(%b)
                %e: f32[8] = aten::mul.Tensor(%c, %d)
                return %e)",
              R"(graph(%x: f32[8]):
                %a: f32[8] = aten::mul.Scalar(%x, 2.0)
                %c: f32[8] = aten::exp(%a)
                %e: f32[8] = aten::mul.Tensor(%c, %c)
                return %e)");
}

TEST(MergeCommonSubexpressions, TellsLiteralsAndResultTypesApart) {
  expect_unchanged(pass_named("merge_common_subexpressions"), R"(graph(%x: f32[8]):
                %a: f32[8] = aten::mul.Scalar(%x, 0.0)
                %b: f32[8] = aten::mul.Scalar(%x, -0.0)
                %c: f16[8] = torchweld::cast(%x)
                %d: bf16[8] = torchweld::cast(%x)
                %e: f32[8] = aten::mul.Tensor(%a, %b)
                %f: f32[8] = aten::mul.Tensor(%c, %d)
                return %e, %f)");
}

TEST(MergeCommonSubexpressions, LeavesTwoOutputsTwo) {
  expect_pass(pass_named("merge_common_subexpressions"), R"(graph(%x: f32[8]):
                %a: f32[8] = aten::relu(%x)
                %b: f32[8] = aten::relu(%x)
                %c: f32[8] = aten::relu(%x)
                %d: f32[8] = aten::neg(%a)
                return %b, %c, %d)",
              R"(graph(%x: f32[8]):
                %a: f32[8] = aten::relu(%x)
                %c: f32[8] = aten::relu(%x)
                %d: f32[8] = aten::neg(%a)
                return %a, %c, %d)");
}

TEST(RemoveDeadNodes, KeepsWhatOutputsDependOnAndEveryInput) {
  expect_pass(pass_named("remove_dead_nodes"), R"(graph(%x: f32[8], %y: f32[8]):
                %a: f32[8] = aten::relu(%x)
                %b: f32[8] = aten::relu(%y)
                %c: f32[8] = aten::neg(%b)
                %d: f32[16] = torchweld::cat([%a, %a], 0)
                return %d)",
              R"(graph(%x: f32[8], %y: f32[8]):
                %a: f32[8] = aten::relu(%x)
                %d: f32[16] = torchweld::cat([%a, %a], 0)
                return %d)");
}

TEST(SimplifyPrimitives, RunsEveryPassOnce) {
  const Graph graph = parse(R"(graph(%x: f32[8]):
    %a: f32[8] = aten::mul.Scalar(%x, 1)
    %b: f32[8] = aten::exp(%a)
    %c: f32[8] = aten::exp(%x)
    %d: f32[8] = aten::mul.Tensor(%b, %c)
    return %d)");
  EXPECT_EQ(to_text(simplify_primitives(graph)), R"(graph(%x: f32[8]):
  %b: f32[8] = aten::exp(%x)
  %d: f32[8] = aten::mul.Tensor(%b, %b)
  return %d
)");
}

}  // namespace
}  // namespace torchweld::graph
