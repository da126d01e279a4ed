#include <gtest/gtest.h>

#include "fusion/primitives.h"
#include "fusion/sink_slices.h"

namespace torchweld {
namespace {

using fusion::Plan;

/// The loops of a plan that has one group: "i0: 8, i1: 16 reduced".
std::string loops_of(std::string_view region) {
  const graph::Graph graph = fusion::sink_slices(testing::primitives_of(region));
  const Plan plan = testing::plan_of(graph);
  if (plan.groups.size() != 1) return std::to_string(plan.groups.size()) + " groups";
  EXPECT_EQ(plan.bytes_planned, plan.bytes_ideal);
  EXPECT_TRUE(plan.edges.empty());
  EXPECT_TRUE(plan.intermediates.empty());
  const std::string text = to_text(graph, plan.groups[0]);
  const std::string first = text.substr(0, text.find('\n'));
  return first.substr(std::min(first.size(), std::string("axes ").size()));
}

TEST(OneKernel, Swish) {
  EXPECT_EQ(loops_of(R"(graph(%x: f32[8,16]):
                          %s: tensor = aten::sigmoid(%x)
                          %y: tensor = aten::mul.Tensor(%x, %s)
                          return %y)"),
            "i0: 8, i1: 16");
}

TEST(OneKernel, SoftmaxOfRows) {
  EXPECT_EQ(loops_of(R"(graph(%x: f32[8,16]):
                          %y: tensor = aten::softmax.int(%x, -1, None)
                          return %y)"),
            "i0: 8, i1: 16 reduced");
}

TEST(OneKernel, SoftmaxOverAMiddleDim) {
  EXPECT_EQ(loops_of(R"(graph(%x: f32[4,8,16]):
                          %y: tensor = aten::softmax.int(%x, 1, None)
                          return %y)"),
            "i0: 4, i1: 16, i2: 8 reduced");
}

TEST(OneKernel, LogSoftmaxOf16BitValues) {
  EXPECT_EQ(loops_of(R"(graph(%x: bf16[8,16]):
                          %y: tensor = aten::log_softmax.int(%x, -1, None)
                          return %y)"),
            "i0: 8, i1: 16 reduced");
}

TEST(OneKernel, SoftmaxWithAMaskThatBroadcasts) {
  EXPECT_EQ(loops_of(R"(graph(%x: f16[2,4,8,16], %m: f16[2,1,1,16]):
                          %d: tensor = aten::div.Tensor(%x, 8.0)
                          %s: tensor = aten::add.Tensor(%d, %m, 1)
                          %y: tensor = aten::softmax.int(%s, -1, None)
                          return %y)"),
            "i0: 2, i1: 4, i2: 8, i3: 16 reduced");
}

TEST(OneKernel, LayerNorm) {
  EXPECT_EQ(loops_of(R"(graph(%x: f32[8,16], %w: f32[16], %b: f32[16]):
                          %y: tensor = aten::layer_norm(%x, [16], %w, %b, 1e-05, True)
                          return %y)"),
            "i0: 8, i1: 16 reduced");
}

TEST(OneKernel, BiasResidualAndLayerNormWithTheSumAsSecondOutput) {
  EXPECT_EQ(loops_of(R"(graph(%x: bf16[2,8,16], %r: bf16[2,8,16], %c: bf16[16], %w: bf16[16], %b: bf16[16]):
                          %s: tensor = aten::add.Tensor(%x, %c, 1)
                          %h: tensor = aten::add.Tensor(%s, %r, 1)
                          %y: tensor = aten::layer_norm(%h, [16], %w, %b, 1e-05, True)
                          return %y, %h)"),
            "i0: 2, i1: 8, i2: 16 reduced");
}

TEST(OneKernel, RmsNorm) {
  EXPECT_EQ(loops_of(R"(graph(%x: bf16[2,8,16], %w: bf16[16]):
                          %y: tensor = aten::rms_norm(%x, [16], %w, 1e-06)
                          return %y)"),
            "i0: 2, i1: 8, i2: 16 reduced");
}

TEST(OneKernel, GroupNormAndSiluSplitsTheChannels) {
  EXPECT_EQ(loops_of(R"(graph(%x: f16[2,8,4,4], %w: f16[8], %b: f16[8]):
                          %s: tensor = aten::group_norm(%x, 4, %w, %b, 1e-05, True)
                          %y: tensor = aten::silu(%s)
                          return %y)"),
            "i0: 2, i1: 4, i2: 2 reduced, i3: 4 reduced, i4: 4 reduced");
}

TEST(OneKernel, BatchNormResidualAndRelu) {
  EXPECT_EQ(loops_of(R"(graph(%x: f32[2,8,4,5], %r: f32[2,8,4,5], %w: f32[8], %b: f32[8], %m: f32[8], %v: f32[8]):
                          %s: tensor = aten::batch_norm(%x, %w, %b, %m, %v, False, 0.1, 1e-05, True)
                          %a: tensor = aten::add.Tensor(%s, %r, 1)
                          %y: tensor = aten::relu(%a)
                          return %y)"),
            "i0: 2, i1: 8, i2: 4, i3: 5");
}

TEST(OneKernel, TwoReductionsOfOneInput) {
  EXPECT_EQ(loops_of(R"(graph(%x: f32[8,16]):
                          %a: tensor = aten::amax(%x, [1], False)
                          %b: tensor = aten::sum.dim_IntList(%x, [1], False, None)
                          return %a, %b)"),
            "i0: 8, i1: 16 reduced");
}

TEST(OneKernel, AReductionOfEverythingHasNoKeptLoop) {
  EXPECT_EQ(loops_of(R"(graph(%x: f32[8,16]):
                          %a: tensor = aten::sum(%x, None)
                          return %a)"),
            "i0: 8 reduced, i1: 16 reduced");
}

TEST(OneKernel, AReductionOfDimsOfSize1StillReduces) {
  EXPECT_EQ(loops_of(R"(graph(%x: f32[8,1]):
                          %a: tensor = aten::sum.dim_IntList(%x, [1], False, None)
                          %y: tensor = aten::relu(%a)
                          return %y)"),
            "i0: 8, i1: 1 reduced");
}

TEST(OneKernel, AnInputAndItsTranspose) {
  EXPECT_EQ(loops_of(R"(graph(%x: f32[8,8]):
                          %t: tensor = aten::t(%x)
                          %y: tensor = aten::add.Tensor(%x, %t, 1)
                          return %y)"),
            "i0: 8, i1: 8");
}

TEST(OneKernel, HeadsMergedByATransposeAndAReshapeThatEagerCopies) {
  EXPECT_EQ(loops_of(R"(graph(%x: f32[2,12,4,8]):
                          %p: tensor = aten::permute(%x, [0, 2, 1, 3])
                          %r: tensor = aten::reshape(%p, [2, 4, 96])
                          %y: tensor = aten::relu(%r)
                          return %y)"),
            "i0: 2, i1: 4, i2: 12, i3: 8");
}

TEST(OneKernel, CatOfAComputedValueAndAnInput) {
  EXPECT_EQ(loops_of(R"(graph(%x: f32[2,4,8], %c: f32[2,3,8]):
                          %p: tensor = aten::relu(%x)
                          %k: tensor = aten::cat([%p, %c], 1)
                          %y: tensor = aten::sigmoid(%k)
                          return %y)"),
            "i0: 2, i1: 7, i2: 8");
}

TEST(OneKernel, GatesOfAnLstmCell) {
  EXPECT_EQ(loops_of(R"(graph(%a: f32[2,16], %b: f32[2,16], %c: f32[2,4]):
                          %g: tensor = aten::add.Tensor(%a, %b, 1)
                          %i0: tensor = aten::slice.Tensor(%g, 1, 0, 4, 1)
                          %f0: tensor = aten::slice.Tensor(%g, 1, 4, 8, 1)
                          %g0: tensor = aten::slice.Tensor(%g, 1, 8, 12, 1)
                          %o0: tensor = aten::slice.Tensor(%g, 1, 12, 16, 1)
                          %i: tensor = aten::sigmoid(%i0)
                          %f: tensor = aten::sigmoid(%f0)
                          %n: tensor = aten::tanh(%g0)
                          %o: tensor = aten::sigmoid(%o0)
                          %fc: tensor = aten::mul.Tensor(%f, %c)
                          %in: tensor = aten::mul.Tensor(%i, %n)
                          %d: tensor = aten::add.Tensor(%fc, %in, 1)
                          %t: tensor = aten::tanh(%d)
                          %y: tensor = aten::mul.Tensor(%o, %t)
                          return %d, %y)"),
            "i0: 2, i1: 4");
}

TEST(OneKernel, AValueThatBroadcastsIsComputedWhereItIsUsed) {
  EXPECT_EQ(loops_of(R"(graph(%x: f32[8,16], %b: f32[16]):
                          %s: tensor = aten::sigmoid(%b)
                          %y: tensor = aten::mul.Tensor(%x, %s)
                          return %y)"),
            "i0: 8, i1: 16");
}

}  // namespace
}  // namespace torchweld
