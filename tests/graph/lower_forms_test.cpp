#include <gtest/gtest.h>

#include "graph/expect.h"

namespace torchweld::graph {
namespace {

/// The primitive form of a region.
void expect_lowered(const std::string& region, const std::string& expected) {
  const Graph graph = parse(region);
  const auto typed = infer(graph, facts_of(graph));
  ASSERT_TRUE(std::holds_alternative<Graph>(typed)) << std::get<Unsupported>(typed).where;
  const auto lowered = lower(std::get<Graph>(typed));
  ASSERT_TRUE(std::holds_alternative<Graph>(lowered));
  verify(std::get<Graph>(lowered));
  EXPECT_EQ(std::get<Graph>(lowered), parse(expected)) << to_text(std::get<Graph>(lowered));
}

TEST(LowerForms, FlipWalksADimBackwards) {
  expect_lowered("graph(%x: f32[4,6]): %y: tensor = aten::flip(%x, [1]) return %y", R"(graph(%x: f32[4,6]):
    %1: f32[4,6]{6,-1}@align4 = torchweld::slice(%x, 1, 5, -1)
    %y: f32[4,6] = torchweld::cast(%1)
    return %y)");
}

TEST(LowerForms, RollJoinsTwoParts) {
  expect_lowered("graph(%x: f32[4,6]): %y: tensor = aten::roll(%x, [2], [1]) return %y", R"(graph(%x: f32[4,6]):
    %1: f32[4,2]{6,1}@align4 = torchweld::slice(%x, 1, 4, 1)
    %2: f32[4,4]{6,1}@align4 = torchweld::slice(%x, 1, 0, 1)
    %y: f32[4,6] = torchweld::cat([%1, %2], 1)
    return %y)");
}

TEST(LowerForms, TriangleIsAMaskByPosition) {
  expect_lowered("graph(%x: f32[2,3]): %y: tensor = aten::tril(%x, 1) return %y", R"(graph(%x: f32[2,3]):
    %1: i64[2] = torchweld::arange(0, 1)
    %2: i64[2,1] = torchweld::reshape(%1, [2, 1])
    %3: i64[3] = torchweld::arange(0, 1)
    %4: i64[2,3] = torchweld::sub(%3, %2)
    %5: bool[2,3] = aten::le.Scalar(%4, 1)
    %y: f32[2,3] = aten::where.ScalarOther(%5, %x, 0)
    return %y)");
}

TEST(LowerForms, LossOf16BitValuesIsRoundedOnce) {
  expect_lowered("graph(%x: f16[4], %t: f16[4]): %y: tensor = aten::mse_loss(%x, %t, 1) return %y",
                 R"(graph(%x: f16[4], %t: f16[4]):
    %2: f32[4] = torchweld::cast(%x)
    %3: f32[4] = torchweld::cast(%t)
    %4: f32[4] = torchweld::sub(%2, %3)
    %5: f32[4] = aten::mul.Tensor(%4, %4)
    %6: f32[] = torchweld::sum(%5, [0])
    %7: f32[] = aten::div.Tensor(%6, 4.0)
    %y: f16[] = torchweld::cast(%7)
    return %y)");
}

TEST(LowerForms, A16BitQuotientIsRoundedBeforeItsFractionIsCutOff) {
  expect_lowered("graph(%x: bf16[4]): %y: tensor = aten::div.Tensor_mode(%x, %x, \"trunc\") return %y",
                 R"(graph(%x: bf16[4]):
    %1: f32[4] = torchweld::cast(%x)
    %2: f32[4] = torchweld::cast(%x)
    %3: f32[4] = aten::div.Tensor(%1, %2)
    %4: bf16[4] = torchweld::cast(%3)
    %y: bf16[4] = aten::trunc(%4)
    return %y)");
}

TEST(LowerForms, ACopyThatIsAskedForIsMade) {
  expect_lowered("graph(%x: f32[4]): %y: tensor = aten::to.dtype(%x, 6, False, True, None) return %y",
                 "graph(%x: f32[4]): %y: f32[4] = torchweld::cast(%x) return %y");
}

}  // namespace
}  // namespace torchweld::graph
