#include "runtime/execute.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "runtime/environment.h"
#include "runtime/regions.h"
#include "runtime/runtime.h"
#include "runtime/statistics.h"
#include "torchweld/error.h"

namespace torchweld::runtime {
namespace {

TEST(ExecuteWriting, WritesOnce) {
  const auto x = at::ones({3});
  const auto before = x._version();
  call_writing(region_of(kIncrement), {x});
  EXPECT_TRUE(at::equal(x, at::full({3}, 2.0f)));
  EXPECT_EQ(x._version(), before + 1);
}

TEST(Execute, RunsInGradModeNoGradModeAndInferenceMode) {
  const auto region = region_of(kAddRelu);
  const auto x = at::ones({3});
  const auto expected = at::full({3}, 2.0f);
  EXPECT_TRUE(at::equal(call(region, {x, x}).at(0), expected));
  {
    const c10::NoGradGuard guard;
    EXPECT_TRUE(at::equal(call(region, {x, x}).at(0), expected));
  }
  const c10::InferenceMode guard;
  EXPECT_TRUE(at::equal(call(region, {x, x}).at(0), expected));
}

TEST(Execute, GivesSeveralResultsOneOfThemTwiceAndAnInputItself) {
  const auto x = at::randn({3, 20});
  const auto y = at::randn({20});
  const auto results = call(region_of(kSeveralResults), {x, y});
  ASSERT_EQ(results.size(), 4u);
  const auto expected = (x + y).softmax(-1);
  EXPECT_TRUE(at::allclose(results[0], expected, 1e-5, 1e-7));
  EXPECT_TRUE(at::allclose(results[1], expected.amax(-1), 1e-5, 1e-7));
  EXPECT_TRUE(results[2].is_same(x));
  EXPECT_TRUE(results[3].is_alias_of(results[0]));
}

TEST(Execute, KeepsValuesBetweenKernels) {
  const auto region = region_of(kTwoKernels);
  const auto x = at::randn({17, 33});
  const auto expected = (2 * x).sum(0, true) + (2 * x).sum(1, true);
  EXPECT_TRUE(at::allclose(call(region, {x}).at(0), expected, 1e-4, 1e-4));
  const auto plan = statistics_of(*region).plans.at(0);
  ASSERT_FALSE(plan.refused) << plan.details;
  EXPECT_GT(plan.kernels.size(), 1u);
}

TEST(Execute, RunsBigTensorsOnSeveralThreads) {
  const auto x = at::randn({1000, 1000});
  EXPECT_TRUE(at::equal(call(region_of(kAddRelu), {x, x}).at(0), (x + x).relu()));
}

TEST(Execute, PlansOnceForEightThreads) {
  const Folder folder;
  const auto region = region_of(kAddTwice, folder.options());
  const auto x = at::randn({4, 6});
  const auto expected = x + 2 * x;
  const auto compiled = Runtime::get().kernels.num_compiled();
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 50; ++j) right += at::equal(call(region, {x, x}).at(0), expected);
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 400);
  EXPECT_LE(Runtime::get().kernels.num_compiled(), compiled + 1);
  const auto found = statistics_of(*region);
  EXPECT_EQ(found.calls, 400u);
  EXPECT_EQ(found.num_fallbacks(), 0u);
  ASSERT_EQ(found.plans.size(), 1u);
  EXPECT_EQ(found.plans[0].calls, 400u);
}

TEST(Execute, PlansAgainForAnotherSignatureOnly) {
  const Folder folder;
  const auto region = region_of(kAddRelu, folder.options());
  const auto x = at::randn({4, 6});
  call(region, {x, x});
  call(region, {x + 1, x});                                     // other values: the same plan
  call(region, {at::randn({8, 6}), at::randn({8, 6})});         // other sizes
  call(region, {at::randn({6, 4}).t(), x});                     // other strides
  call(region, {x.to(at::kDouble), x});                         // another dtype
  call(region, {at::randn({25}).slice(0, 1).view({4, 6}), x});  // another alignment
  const auto found = statistics_of(*region);
  EXPECT_EQ(found.plans.size(), 5u);
  EXPECT_EQ(found.num_fallbacks(), 0u);
}

TEST(Execute, SharesPlansBetweenRegionsOfOneText) {
  const Folder folder;
  const auto options = folder.options();
  const auto first = region_of(kAddRelu, options);
  const auto second = region_of(kAddRelu, options);
  call(first, {at::ones({3}), at::ones({3})});
  call(second, {at::ones({3}), at::ones({3})});
  EXPECT_EQ(statistics_of(*second).plans.at(0).calls, 2u);
}

TEST(Execute, RefusesAWrongNumberOfArguments) {
  EXPECT_THROW(call(region_of(kAddRelu), {at::ones({2})}), Error);
  EXPECT_THROW(call(region_of(kScale), {at::ones({2})}), Error);
}

TEST(Execute, PassesNumbers) {
  EXPECT_TRUE(at::equal(call(region_of(kScale), {at::ones({2})}, {2.5}).at(0), at::full({2}, 2.5f)));
  EXPECT_TRUE(at::equal(call(region_of(kScale), {at::ones({2})}, {3}).at(0), at::full({2}, 3.0f)));
}

}  // namespace
}  // namespace torchweld::runtime
