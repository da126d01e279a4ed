#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/expression.h"
#include "codegen/keep.h"
#include "codegen/loop.h"
#include "fusion/primitives.h"

namespace torchweld {
namespace {

using ::testing::ElementsAre;

/// The loops of a region that is one group.
struct Planned {
  explicit Planned(const char* region) : graph(testing::primitives_of(region)), plan(testing::plan_of(graph)) {
    EXPECT_EQ(plan.groups.size(), 1u);
    nest = codegen::make_loops(plan.groups.at(0));
  }
  graph::Graph graph;
  fusion::Plan plan;
  codegen::LoopNest nest;
};

std::vector<std::int64_t> extents(const std::vector<codegen::Loop>& loops) {
  std::vector<std::int64_t> result;
  for (const codegen::Loop& loop : loops) result.push_back(loop.extent);
  return result;
}

TEST(Loops, CollapseWhereAllOperandsAgree) {
  const Planned same("graph(%x: f32[2,3,4]):\n  %y: tensor = aten::relu(%x)\n  return %y");
  EXPECT_THAT(extents(same.nest.inner), ElementsAre(24));
  const Planned bias(R"(graph(%x: f32[2,3,4,5], %b: f32[3,1,1]):
    %y: tensor = aten::add.Tensor(%x, %b, 1)
    return %y)");
  EXPECT_THAT(extents(bias.nest.inner), ElementsAre(2, 3, 20));
}

TEST(Loops, AreOrderedByTheStridesOfTheLargestOperand) {
  const Planned channels_last("graph(%x: f32[2,3,4,5]{60,1,15,3}):\n  %y: tensor = aten::relu(%x)\n  return %y");
  EXPECT_THAT(extents(channels_last.nest.inner), ElementsAre(120));
}

TEST(Loops, DimsOfSizeOneAreDropped) {
  const Planned ones("graph(%x: f32[1,1]):\n  %y: tensor = aten::relu(%x)\n  return %y");
  EXPECT_TRUE(ones.nest.inner.empty());
  EXPECT_EQ(ones.nest.num_inner(), 1);
}

TEST(Loops, ReducedAxesAreTheInnerPartAndEachReductionBeginsAPhase) {
  const Planned softmax("graph(%x: f32[6,8]):\n  %y: tensor = aten::softmax.int(%x, -1, None)\n  return %y");
  EXPECT_THAT(extents(softmax.nest.rows), ElementsAre(6));
  EXPECT_THAT(extents(softmax.nest.inner), ElementsAre(8));
  EXPECT_EQ(softmax.nest.num_phases, 3);
}

TEST(Loops, AWeightOfEachChannelIsSplitOverTheRowOfAGroup) {
  const Planned norm(R"(graph(%x: f16[2,8,6,6], %w: f16[8], %b: f16[8]):
    %y: tensor = aten::group_norm(%x, 4, %w, %b, 0.00001, True)
    return %y)");
  EXPECT_THAT(extents(norm.nest.inner), ElementsAre(2, 36));
  EXPECT_THAT(norm.nest.accesses.at(1).inner.per_loop, ElementsAre(1, 0));
}

TEST(Loops, MaxAndSumOfExponentialsShareOnePass) {
  const Planned softmax("graph(%x: f32[6,8]):\n  %y: tensor = aten::softmax.int(%x, -1, None)\n  return %y");
  const auto& group = softmax.plan.groups.at(0);
  const auto onlines = codegen::find_online_softmax(group);
  ASSERT_EQ(onlines.size(), 1u);
  EXPECT_EQ(codegen::make_loops(group, onlines).num_phases, 2);
}

TEST(Kept, SoftmaxKeepsItsInputAndThenItsExponentials) {
  const Planned softmax("graph(%x: f32[6,8]):\n  %y: tensor = aten::softmax.int(%x, -1, None)\n  return %y");
  codegen::Kept kept = codegen::choose_kept(softmax.nest, 16, 255);
  const auto work = codegen::work_of_phases(softmax.nest, kept);
  EXPECT_THAT(work.at(1).reused, ElementsAre(0));  // the load
  ASSERT_EQ(work.at(2).reused.size(), 1u);
  const auto& exponent = softmax.plan.groups.at(0).statements.at(std::size_t(work.at(2).reused[0]));
  EXPECT_EQ(std::get<fusion::Pointwise>(exponent.body).op->name, "aten::exp");
}

TEST(Kept, ExponentialsAreComputedAgainWhenRegistersAreShort) {
  const Planned softmax("graph(%x: bf16[6,8]):\n  %y: tensor = aten::softmax.int(%x, -1, None)\n  return %y");
  codegen::Kept kept = codegen::choose_kept(softmax.nest, 64, 64);
  EXPECT_THAT(codegen::work_of_phases(softmax.nest, kept).at(2).reused, ElementsAre(0));
}

TEST(Expressions, TakeOperandsAndTheComputeDtype) {
  const auto name = [](int n, bool) { return std::string("abc").substr(std::size_t(n), 1); };
  using codegen::print_expression;
  EXPECT_EQ(print_expression("$0 + $2 * $1", graph::DType::f32, name), "a + c * b");
  EXPECT_EQ(print_expression("tw_max($0, T(0))", graph::DType::f64, name), "tw_max(a, double(0))");
  EXPECT_EQ(print_expression("$0 + T(1)", graph::DType::i64, name), "wrap(a) + wrap(i64(1))");
  EXPECT_EQ(print_expression("$0 & $1", graph::DType::i64, name), "a & b");
}

TEST(Expressions, OnlyAWholeConditionKeepsItsDtype) {
  const auto name = [](int n, bool is_condition) {
    return is_condition ? std::string("condition") : std::string("abc").substr(std::size_t(n), 1);
  };
  using codegen::print_expression;
  EXPECT_EQ(print_expression("tw_select($0, $1, $2)", graph::DType::f32, name), "tw_select(condition, b, c)");
  EXPECT_EQ(print_expression("tw_select($0 < $1, $1, $2)", graph::DType::f32, name), "tw_select(a < b, b, c)");
}

TEST(Expressions, NamesOfOpsBecomeIdentifiers) {
  EXPECT_EQ(codegen::identifier_from_op("aten::add.Tensor"), "add");
  EXPECT_EQ(codegen::identifier_from_op("aten::__and__.Scalar"), "and");
  EXPECT_EQ(codegen::identifier_from_op("a::b::1; evil()"), "op1evil");
}

}  // namespace
}  // namespace torchweld
