#include "cli/compare.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace torchweld::cli {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

c10::IValue tensor(std::vector<double> values, at::ScalarType dtype = at::kFloat) {
  return at::tensor(values).to(dtype);
}

Comparison only(const c10::IValue& ours, const c10::IValue& theirs, std::optional<double> tolerance = {}) {
  const auto found = compare(ours, theirs, tolerance);
  EXPECT_EQ(found.size(), 1U);
  return found.at(0);
}

TEST(Compare, EqualTensorsHaveNoError) {
  const Comparison leaf = only(tensor({1, 2}), tensor({1, 2}));
  EXPECT_EQ(leaf.error, 0);
  EXPECT_EQ(leaf.type, "f32[2]");
  EXPECT_TRUE(leaf.ok());
}

TEST(Compare, ErrorIsRelativeToTheLargestMagnitude) {
  EXPECT_NEAR(only(tensor({0, 100.5}), tensor({0, 100})).error, 0.005, 1e-6);
}

TEST(Compare, NaNAndInfinityMustBeInTheSamePlace) {
  EXPECT_TRUE(only(tensor({kNaN, kInf, 1}), tensor({kNaN, kInf, 1})).ok());
  EXPECT_FALSE(only(tensor({kNaN, 1}), tensor({1, 1})).ok());
  EXPECT_FALSE(only(tensor({1, 1}), tensor({kNaN, 1})).ok());
  EXPECT_FALSE(only(tensor({-kInf, 1}), tensor({kInf, 1})).ok());
}

TEST(Compare, ToleranceFollowsTheDType) {
  EXPECT_FALSE(only(tensor({1.001}), tensor({1})).ok());
  EXPECT_TRUE(only(tensor({1.00001}), tensor({1})).ok());
  EXPECT_TRUE(only(tensor({1.0078125}, at::kBFloat16), tensor({1}, at::kBFloat16)).ok());
  EXPECT_FALSE(only(tensor({3}, at::kLong), tensor({2}, at::kLong)).ok());
}

TEST(Compare, AGivenToleranceIsForFloatsOnly) {
  EXPECT_TRUE(only(tensor({1.4}), tensor({1}), 0.5).ok());
  EXPECT_FALSE(only(tensor({5}, at::kLong), tensor({4}, at::kLong), 0.5).ok());
}

TEST(Compare, NamesADifferenceOfDTypeOrSizes) {
  EXPECT_EQ(only(tensor({1}, at::kDouble), tensor({1})).problem, "is f64[1], expected f32[1]");
  EXPECT_EQ(only(tensor({1, 2}), tensor({1})).problem, "is f32[2], expected f32[1]");
  EXPECT_EQ(only(std::int64_t{3}, std::int64_t{4}).problem, "is 3, expected 4");
}

TEST(Compare, WalksContainersAndNamesEachLeaf) {
  const auto pair = [](double last) {
    c10::Dict<std::string, at::Tensor> named;
    named.insert("scores", tensor({last}).toTensor());
    return c10::IValue(c10::ivalue::Tuple::create({tensor({1}), named}));
  };
  const auto found = compare(pair(2), pair(3), std::nullopt);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "output 0");
  EXPECT_TRUE(found[0].ok());
  EXPECT_EQ(found[1].name, "output 1[scores]");
  EXPECT_FALSE(found[1].ok());
}

}  // namespace
}  // namespace torchweld::cli
