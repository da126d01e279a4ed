#include <gtest/gtest.h>

#include "graph/op.h"
#include "graph/ops/rows.h"
#include "graph/promotion.h"

namespace torchweld::graph {
namespace {

TEST(OpTable, IsSortedAndFindsEachRow) {
  EXPECT_TRUE(sorted_and_unique(ops()));
  for (const Op& op : ops()) EXPECT_EQ(find_op(op.name), &op) << op.name;
  EXPECT_EQ(find_op("aten::add"), nullptr);  // an overload is part of the name
}

TEST(OpTable, HasNoRowThatWritesItsOperand) {
  for (const Op& op : ops()) {
    const std::string_view base = op.name.substr(0, op.name.find('.'));
    EXPECT_FALSE(base.ends_with('_') && !base.ends_with("__")) << op.name;
    EXPECT_FALSE(op.name.ends_with(".out") || op.name.ends_with("_out")) << op.name;
  }
}

TEST(Expressions, CallFunctionsWithTheirNumberOfOperands) {
  static_assert(well_formed("tw_max($0, T(0)) + -$1 * T(1e-5)"));
  static_assert(!well_formed("tw_max($0)"));
  static_assert(!well_formed("tw_maximum($0, $1)"));
  static_assert(!well_formed("exp($0)"));
  static_assert(!well_formed("tw_exp"));
  static_assert(!well_formed("$x"));
  static_assert(!well_formed("tw_select($0, tw_exp($1), tw_min($0, $1)"));
}

TEST(Dtypes, HaveNamesSizesAndCodes) {
  for (int i = 0; i <= static_cast<int>(DType::b8); ++i) {
    const auto dtype = static_cast<DType>(i);
    EXPECT_EQ(dtype_from_name(name_of(dtype)), dtype);
    EXPECT_EQ(dtype_from_code(code_of(dtype)), dtype);
  }
  EXPECT_EQ(dtype_from_code(9), std::nullopt);  // complex
  EXPECT_EQ(dtype_from_name("float"), std::nullopt);
}

TEST(Types, CountEachElementOfMemoryOnce) {
  EXPECT_EQ(bytes_of({DType::bf16, {4, 8}, {8, 1}}), 64);
  EXPECT_EQ(bytes_of({DType::f32, {4, 8}, {0, 1}}), 32);
  EXPECT_EQ(bytes_of({DType::f32, {0, 8}, {0, 1}}), 0);
  EXPECT_EQ(contiguous_strides({2, 0, 3}), (Dims{3, 3, 1}));
}

}  // namespace
}  // namespace torchweld::graph
