#include "graph/expect.h"

namespace torchweld::graph {
namespace {

/// `region`, typed by its input types, lowers to `expected`.
void expect_lowered(const std::string& region, const std::string& expected) {
  const Graph graph = parse(region);
  const auto typed = infer(graph, facts_of(graph));
  ASSERT_TRUE(std::holds_alternative<Graph>(typed)) << text_of(typed);
  const auto lowered = lower(std::get<Graph>(typed));
  EXPECT_EQ(text_of(lowered), to_text(parse(expected)));
  if (std::holds_alternative<Graph>(lowered)) verify(std::get<Graph>(lowered));
}

TEST(Lower, SwishStaysTwoPointwiseNodes) {
  expect_lowered(R"(graph(%x: bf16[8]):
    %s: tensor = aten::sigmoid(%x)
    %y: tensor = aten::mul.Tensor(%x, %s)
    return %y)",
                 R"(graph(%x: bf16[8]):
    %s: bf16[8] = aten::sigmoid(%x)
    %y: bf16[8] = aten::mul.Tensor(%x, %s)
    return %y)");
}

TEST(Lower, SoftmaxSubtractsTheMaximumAndIsRoundedOnce) {
  expect_lowered("graph(%x: f16[4,8]): %y: tensor = aten::softmax.int(%x, -1, None) return %y", R"(graph(%x: f16[4,8]):
    %1: f32[4,8] = torchweld::cast(%x)
    %2: f32[4] = torchweld::max(%1, [1])
    %3: f32[4,1] = torchweld::reshape(%2, [4, 1])
    %4: f32[4,8] = torchweld::sub(%1, %3)
    %5: f32[4,8] = aten::exp(%4)
    %6: f32[4] = torchweld::sum(%5, [1])
    %7: f32[4,1] = torchweld::reshape(%6, [4, 1])
    %8: f32[4,8] = aten::div.Tensor(%5, %7)
    %y: f16[4,8] = torchweld::cast(%8)
    return %y)");
}

TEST(Lower, SoftmaxOfChannelsLastIsRowMajor) {
  expect_lowered("graph(%x: f32[1,2,2,2]{8,1,4,2}): %y: tensor = aten::_softmax(%x, 1, False) return %y",
                 R"(graph(%x: f32[1,2,2,2]{8,1,4,2}):
    %1: f32[1,2,2] = torchweld::max(%x, [1])
    %2: f32[1,1,2,2] = torchweld::reshape(%1, [1, 1, 2, 2])
    %3: f32[1,2,2,2]{8,1,4,2} = torchweld::sub(%x, %2)
    %4: f32[1,2,2,2]{8,1,4,2} = aten::exp(%3)
    %5: f32[1,2,2] = torchweld::sum(%4, [1])
    %6: f32[1,1,2,2] = torchweld::reshape(%5, [1, 1, 2, 2])
    %y: f32[1,2,2,2] = aten::div.Tensor(%4, %6)
    return %y)");
}

TEST(Lower, LogSoftmaxSubtractsTheLogarithmOfTheSum) {
  expect_lowered("graph(%x: f32[4,8]): %y: tensor = aten::log_softmax.int(%x, 1, None) return %y",
                 R"(graph(%x: f32[4,8]):
    %1: f32[4] = torchweld::max(%x, [1])
    %2: f32[4,1] = torchweld::reshape(%1, [4, 1])
    %3: f32[4,8] = torchweld::sub(%x, %2)
    %4: f32[4,8] = aten::exp(%3)
    %5: f32[4] = torchweld::sum(%4, [1])
    %6: f32[4,1] = torchweld::reshape(%5, [4, 1])
    %7: f32[4,1] = aten::log(%6)
    %y: f32[4,8] = torchweld::sub(%3, %7)
    return %y)");
}

TEST(Lower, LayerNormComputesTheVarianceOfDeviations) {
  expect_lowered(R"(graph(%x: f32[4,8], %w: f32[8], %b: f32[8]):
    %y: tensor = aten::layer_norm(%x, [8], %w, %b, 1e-05, True)
    return %y)",
                 R"(graph(%x: f32[4,8], %w: f32[8], %b: f32[8]):
    %3: f32[4] = torchweld::sum(%x, [1])
    %4: f32[4,1] = torchweld::reshape(%3, [4, 1])
    %5: f32[4,1] = aten::div.Tensor(%4, 8.0)
    %6: f32[4,8] = torchweld::sub(%x, %5)
    %7: f32[4,8] = aten::mul.Tensor(%6, %6)
    %8: f32[4] = torchweld::sum(%7, [1])
    %9: f32[4,1] = torchweld::reshape(%8, [4, 1])
    %10: f32[4,1] = aten::div.Tensor(%9, 8.0)
    %11: f32[4,1] = torchweld::add(%10, 1e-05)
    %12: f32[4,1] = aten::rsqrt(%11)
    %13: f32[4,8] = aten::mul.Tensor(%6, %12)
    %14: f32[4,8] = aten::mul.Tensor(%13, %w)
    %y: f32[4,8] = torchweld::add(%14, %b)
    return %y)");
}

TEST(Lower, RmsNormTakesTheMachineEpsilonWhenNoneIsGiven) {
  expect_lowered("graph(%x: f32[4,8]): %y: tensor = aten::rms_norm(%x, [8], None, None) return %y",
                 R"(graph(%x: f32[4,8]):
    %1: f32[4,8] = aten::mul.Tensor(%x, %x)
    %2: f32[4] = torchweld::sum(%1, [1])
    %3: f32[4,1] = torchweld::reshape(%2, [4, 1])
    %4: f32[4,1] = aten::div.Tensor(%3, 8.0)
    %5: f32[4,1] = torchweld::add(%4, 1.1920928955078125e-07)
    %6: f32[4,1] = aten::rsqrt(%5)
    %y: f32[4,8] = aten::mul.Tensor(%x, %6)
    return %y)");
}

TEST(Lower, BatchNormInEvalIsPointwise) {
  expect_lowered(R"(graph(%x: f32[2,3,4,4], %m: f32[3], %v: f32[3]):
    %y: tensor = aten::batch_norm(%x, None, None, %m, %v, False, 0.1, 1e-05, True)
    return %y)",
                 R"(graph(%x: f32[2,3,4,4], %m: f32[3], %v: f32[3]):
    %3: f32[1,3,1,1] = torchweld::reshape(%m, [1, 3, 1, 1])
    %4: f32[1,3,1,1] = torchweld::reshape(%v, [1, 3, 1, 1])
    %5: f32[1,3,1,1] = torchweld::add(%4, 1e-05)
    %6: f32[1,3,1,1] = aten::rsqrt(%5)
    %7: f32[2,3,4,4] = torchweld::sub(%x, %3)
    %y: f32[2,3,4,4] = aten::mul.Tensor(%7, %6)
    return %y)");
}

TEST(Lower, GroupNormIsANormOfChannelsSplitByGroup) {
  expect_lowered("graph(%x: f32[2,6,4]): %y: tensor = aten::group_norm(%x, 3, None, None, 1e-05, True) return %y",
                 R"(graph(%x: f32[2,6,4]):
    %1: f32[2,3,2,4] = torchweld::reshape(%x, [2, 3, 2, 4])
    %2: f32[2,3] = torchweld::sum(%1, [2, 3])
    %3: f32[2,3,1,1] = torchweld::reshape(%2, [2, 3, 1, 1])
    %4: f32[2,3,1,1] = aten::div.Tensor(%3, 8.0)
    %5: f32[2,3,2,4] = torchweld::sub(%1, %4)
    %6: f32[2,3,2,4] = aten::mul.Tensor(%5, %5)
    %7: f32[2,3] = torchweld::sum(%6, [2, 3])
    %8: f32[2,3,1,1] = torchweld::reshape(%7, [2, 3, 1, 1])
    %9: f32[2,3,1,1] = aten::div.Tensor(%8, 8.0)
    %10: f32[2,3,1,1] = torchweld::add(%9, 1e-05)
    %11: f32[2,3,1,1] = aten::rsqrt(%10)
    %12: f32[2,3,2,4] = aten::mul.Tensor(%5, %11)
    %y: f32[2,6,4] = torchweld::reshape(%12, [2, 6, 4])
    return %y)");
}

TEST(Lower, IntegersAreSummedInI64AndMeansOf16BitFloatsInF32) {
  expect_lowered(R"(graph(%n: u8[4,8], %x: bf16[4,8]):
    %s: tensor = aten::sum(%n, None)
    %m: tensor = aten::mean.dim(%x, [0], True, None)
    return %s, %m)",
                 R"(graph(%n: u8[4,8], %x: bf16[4,8]):
    %2: i64[4,8] = torchweld::cast(%n)
    %s: i64[] = torchweld::sum(%2, [0, 1])
    %4: f32[4,8] = torchweld::cast(%x)
    %5: f32[8] = torchweld::sum(%4, [0])
    %6: f32[1,8] = torchweld::reshape(%5, [1, 8])
    %7: f32[1,8] = aten::div.Tensor(%6, 4.0)
    %m: bf16[1,8] = torchweld::cast(%7)
    return %s, %m)");
}

TEST(Lower, VarianceDividesByTheCountLessItsCorrection) {
  expect_lowered("graph(%x: f32[4,8]): %y: tensor = aten::std.dim(%x, [-1], True, False) return %y",
                 R"(graph(%x: f32[4,8]):
    %1: f32[4] = torchweld::sum(%x, [1])
    %2: f32[4,1] = torchweld::reshape(%1, [4, 1])
    %3: f32[4,1] = aten::div.Tensor(%2, 8.0)
    %4: f32[4,8] = torchweld::sub(%x, %3)
    %5: f32[4,8] = aten::mul.Tensor(%4, %4)
    %6: f32[4] = torchweld::sum(%5, [1])
    %7: f32[4,1] = torchweld::reshape(%6, [4, 1])
    %8: f32[4,1] = aten::div.Tensor(%7, 7.0)
    %9: f32[4,1] = aten::sqrt(%8)
    %y: f32[4] = torchweld::reshape(%9, [4])
    return %y)");
}

TEST(Lower, MaxDimReturnsValuesAndIndices) {
  expect_lowered("graph(%x: f32[4,8]): %v: tensor, %i: tensor = aten::max.dim(%x, 1, False) return %v, %i",
                 R"(graph(%x: f32[4,8]):
    %v: f32[4] = torchweld::max(%x, [1])
    %i: i64[4] = torchweld::argmax(%x, [1])
    return %v, %i)");
}

TEST(Lower, ViewsBecomePermuteReshapeExpandAndSlice) {
  expect_lowered(R"(graph(%x: f32[4,6]):
    %a: tensor = aten::transpose.int(%x, 0, 1)
    %b: tensor = aten::select.int(%a, 0, -1)
    %c: tensor = aten::unsqueeze(%b, 1)
    %d: tensor = aten::expand(%c, [2, -1, 3], False)
    %e: tensor = aten::slice.Tensor(%d, 1, 1, None, 2)
    return %e)",
                 R"(graph(%x: f32[4,6]):
    %a: f32[6,4]{1,6} = torchweld::permute(%x, [1, 0])
    %2: f32[1,4]{1,6}@align4 = torchweld::slice(%a, 0, 5, 1)
    %b: f32[4]{6}@align4 = torchweld::reshape(%2, [4])
    %c: f32[4,1]{6,1}@align4 = torchweld::reshape(%b, [4, 1])
    %5: f32[1,4,1]{24,6,1}@align4 = torchweld::reshape(%c, [1, 4, 1])
    %d: f32[2,4,3]{0,6,0}@align4 = torchweld::expand(%5, [2, 4, 3])
    %e: f32[2,2,3]{0,12,0}@align4 = torchweld::slice(%d, 1, 1, 2)
    return %e)");
}

TEST(Lower, CatPromotesAndSkipsNothings) {
  expect_lowered("graph(%x: f16[2], %y: f32[3], %z: f32[0]): %a: tensor = aten::cat([%x, %z, %y], 0) return %a",
                 R"(graph(%x: f16[2], %y: f32[3], %z: f32[0]):
    %3: f32[2] = torchweld::cast(%x)
    %a: f32[5] = torchweld::cat([%3, %y], 0)
    return %a)");
}

TEST(Lower, ClampAppliesTheBoundsThatAreGiven) {
  expect_lowered("graph(%x: i64[4], %m: float): %a: tensor = aten::clamp(%x, None, %m) return %a",
                 R"(graph(%x: i64[4], %m: float):
    %2: f32[4] = torchweld::cast(%x)
    %a: f32[4] = aten::minimum(%2, %m)
    return %a)");
}

TEST(Lower, PowersThatEagerTreatsApartAreNotPow) {
  expect_lowered(R"(graph(%x: f32[4]):
    %a: tensor = aten::pow.Tensor_Scalar(%x, 2)
    %b: tensor = aten::pow.Tensor_Scalar(%a, 0.5)
    %c: tensor = aten::pow.Tensor_Scalar(%b, 0)
    return %c)",
                 R"(graph(%x: f32[4]):
    %a: f32[4] = aten::mul.Tensor(%x, %x)
    %b: f32[4] = aten::sqrt(%a)
    %c: f32[4] = aten::pow.Tensor_Tensor(%b, 0)
    return %c)");
}

TEST(Lower, OpsThatReturnTheirOperandLeaveNoNodeUnlessTheyCopy) {
  expect_lowered(R"(graph(%x: f32[2,3]{1,2}):
    %a: tensor = aten::dropout(%x, 0.1, False)
    %b: tensor = aten::to.dtype(%a, 6, False, False, None)
    %c: tensor = aten::contiguous(%b, 0)
    %d: tensor = aten::clone(%b, None)
    return %b, %c, %d)",
                 R"(graph(%x: f32[2,3]{1,2}):
    %c: f32[2,3] = torchweld::cast(%x)
    %d: f32[2,3]{1,2} = torchweld::cast(%x)
    return %x, %c, %d)");
}

TEST(Lower, MaskedFillSelectsByTheMask) {
  expect_lowered("graph(%x: f16[2,3], %m: bool[3]): %a: tensor = aten::masked_fill.Scalar(%x, %m, -inf) return %a",
                 R"(graph(%x: f16[2,3], %m: bool[3]):
    %a: f16[2,3] = aten::where.self(%m, -inf, %x)
    return %a)");
}

TEST(Lower, CreationsAreFunctionsOfTheIndex) {
  expect_lowered(R"(graph(%x: f32[2]):
    %a: tensor = aten::arange(4, None, None, None, None)
    %b: tensor = aten::full([2, 2], 0.5, None, None, None, None)
    return %a, %b)",
                 R"(graph(%x: f32[2]):
    %a: i64[4] = torchweld::arange(0, 1)
    %b: f32[2,2] = torchweld::full(0.5)
    return %a, %b)");
}

}  // namespace
}  // namespace torchweld::graph
