// Each reason for running the original nodes: the result is eager's, and the reason is counted.
#include "runtime/fallback_reason.h"

#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "runtime/environment.h"
#include "runtime/regions.h"
#include "runtime/runtime.h"
#include "runtime/statistics.h"
#include "torchweld/error.h"

namespace torchweld::runtime {
namespace {

/// Regions whose plans and kernels no other test has made.
struct FallbackTest : testing::Test {
  FallbackTest() {
    Runtime::get().plans.clear();
    Runtime::get().kernels.drop_unused();
  }

  Folder folder;
  Options options = folder.options();

  c10::intrusive_ptr<Region> region(const char* text) const { return region_of(text, options); }

  static void expect_fused(const Region& region) {
    const auto found = statistics_of(region);
    EXPECT_GT(found.calls, 0u);
    for (std::size_t i = 0; i < kNumFallbackReasons; ++i)
      EXPECT_EQ(found.fallbacks[i], 0u) << name_of(static_cast<FallbackReason>(i)) << details_of(found);
  }
  static void expect_fell_back(const Region& region, FallbackReason reason) {
    const auto found = statistics_of(region);
    EXPECT_EQ(found.num_fallbacks(), found.calls);
    EXPECT_EQ(found.fallbacks[static_cast<std::size_t>(reason)], found.calls) << details_of(found);
  }

private:
  static std::string details_of(const RegionStatistics& found) {
    std::string text;
    for (const auto& plan : found.plans)
      if (plan.refused) text.append("\n").append(name_of(plan.reason)).append(": ").append(plan.details);
    return text;
  }
};

TEST_F(FallbackTest, NoneForAnOrdinaryCall) {
  const auto add_relu = region(kAddRelu);
  const auto x = at::randn({5, 7});
  const auto y = at::randn({7});
  EXPECT_TRUE(at::equal(call(add_relu, {x, y}).at(0), (x + y).relu()));
  expect_fused(*add_relu);
}

TEST_F(FallbackTest, NoneForANumberThatChanges) {
  const auto scale = region(kScale);
  const auto x = at::randn({9});
  for (const double factor : {2.0, -0.5, 3.25}) EXPECT_TRUE(at::equal(call(scale, {x}, {factor}).at(0), x * factor));
  expect_fused(*scale);
  EXPECT_EQ(statistics_of(*scale).plans.size(), 1u);
}

TEST_F(FallbackTest, NoneForAnEmptyTensor) {
  const auto add_relu = region(kAddRelu);
  EXPECT_EQ(call(add_relu, {at::zeros({0, 3}), at::zeros({3})}).at(0).sizes(), (at::IntArrayRef{0, 3}));
  expect_fused(*add_relu);
}

TEST_F(FallbackTest, GivesEveryResultOfTheOriginalNodes) {
  Runtime::get().set_off(true);
  const auto x = at::randn({3, 20});
  const auto results = call(region_of(kSeveralResults), {x, x});
  Runtime::get().set_off(false);
  ASSERT_EQ(results.size(), 4u);
  EXPECT_TRUE(at::equal(results[1], (x + x).softmax(-1).amax(-1)));
  EXPECT_TRUE(results[2].is_same(x));
}

TEST_F(FallbackTest, OffRunsTheOriginalNodes) {
  const auto add_relu = region(kAddRelu);
  Runtime::get().set_off(true);
  const auto results = call(add_relu, {at::ones({2}), at::ones({2})});
  Runtime::get().set_off(false);
  EXPECT_TRUE(at::equal(results.at(0), at::full({2}, 2.0f)));
  expect_fell_back(*add_relu, FallbackReason::off);
}

TEST_F(FallbackTest, DeviceThatTheOptionsExclude) {
  options.device = FuseOn::cuda;
  const auto add_relu = region(kAddRelu);
  call(add_relu, {at::ones({2}), at::ones({2})});
  expect_fell_back(*add_relu, FallbackReason::device);
}

TEST_F(FallbackTest, DtypeWithoutKernels) {
  const auto add = region(kAdd);
  const auto x = at::ones({2}, at::kComplexFloat);
  EXPECT_TRUE(at::equal(call(add, {x, x}).at(0), x + x));
  expect_fell_back(*add, FallbackReason::dtype);
}

TEST_F(FallbackTest, GradientOfAnInputThatIsNoWeight) {
  const auto add_relu = region(kAddRelu);
  auto x = at::ones({2});
  x.set_requires_grad(true);
  EXPECT_TRUE(call(add_relu, {x, at::ones({2})}).at(0).requires_grad());
  expect_fell_back(*add_relu, FallbackReason::needs_gradient);
}

TEST_F(FallbackTest, NoneForAWeightThatRequiresGrad) {
  const auto add_relu = make_region({kAddRelu, {}, {}, {false, true}, options});
  auto weight = at::ones({2});
  weight.set_requires_grad(true);
  EXPECT_FALSE(call(add_relu, {at::ones({2}), weight}).at(0).requires_grad());
  expect_fused(*add_relu);
}

TEST_F(FallbackTest, GradientOfAWeightWhenTraining) {
  options.inference = false;
  const auto add_relu = make_region({kAddRelu, {}, {}, {false, true}, options});
  auto weight = at::ones({2});
  weight.set_requires_grad(true);
  EXPECT_TRUE(call(add_relu, {at::ones({2}), weight}).at(0).requires_grad());
  expect_fell_back(*add_relu, FallbackReason::needs_gradient);
}

TEST_F(FallbackTest, NoneForAnInputThatRequiresGradWithoutGradMode) {
  const auto add_relu = region(kAddRelu);
  auto x = at::ones({2});
  x.set_requires_grad(true);
  const c10::NoGradGuard guard;
  call(add_relu, {x, x});
  expect_fused(*add_relu);
}

TEST_F(FallbackTest, Autocast) {
  const auto add_relu = region(kAddRelu);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  call(add_relu, {at::ones({2}), at::ones({2})});
  at::autocast::set_autocast_enabled(at::kCPU, false);
  expect_fell_back(*add_relu, FallbackReason::autocast);
}

TEST_F(FallbackTest, NegativeBit) {
  const auto add_relu = region(kAddRelu);
  const auto negative = at::imag(at::full({2}, c10::complex<float>(0, 3)).conj());
  ASSERT_TRUE(negative.is_neg());
  EXPECT_TRUE(at::equal(call(add_relu, {negative, at::full({2}, 5.0f)}).at(0), at::full({2}, 2.0f)));
  expect_fell_back(*add_relu, FallbackReason::dispatch_key);
}

TEST_F(FallbackTest, SparseTensor) {
  const auto add_relu = region(kAdd);
  const auto sparse = at::ones({2}).to_sparse();
  EXPECT_TRUE(at::equal(call(add_relu, {at::ones({2}), sparse}).at(0), at::full({2}, 2.0f)));
  expect_fell_back(*add_relu, FallbackReason::dispatch_key);
}

TEST_F(FallbackTest, ShapesThatEagerRefusesRaiseEagersOwnError) {
  const auto add_relu = region(kAddRelu);
  EXPECT_THAT(
      [&] {
        call(add_relu, {at::ones({2}), at::ones({3})});
      },
      testing::ThrowsMessage<std::exception>(testing::HasSubstr("must match the size of tensor b")));
  expect_fell_back(*add_relu, FallbackReason::eager_refuses);
}

TEST_F(FallbackTest, Writes) {
  const auto increment = region(kIncrement);
  call_writing(increment, {at::ones({2})});
  expect_fell_back(*increment, FallbackReason::writes);
}

TEST_F(FallbackTest, NoCompiler) {
  const Variable none("TORCHWELD_CXX", "/no/such/compiler");
  const auto add_relu = region(kAddRelu);
  for (int i = 0; i < 2; ++i)
    EXPECT_TRUE(at::equal(call(add_relu, {at::ones({2}), at::ones({2})}).at(0), at::full({2}, 2.0f)));
  expect_fell_back(*add_relu, FallbackReason::no_compiler);
}

TEST_F(FallbackTest, NoCompilerIsNoErrorOfOurs) {
  const Variable none("TORCHWELD_CXX", "/no/such/compiler");
  options.strict = true;
  EXPECT_NO_THROW(call(region(kAddRelu), {at::ones({2}), at::ones({2})}));
}

TEST_F(FallbackTest, CompilerThatFails) {
  const Variable broken("TORCHWELD_CXX", "/bin/false");
  const auto scale = region_of(kAddTwice, options);
  call(scale, {at::ones({2}), at::ones({2})});
  expect_fell_back(*scale, FallbackReason::compile_failed);
  options.strict = true;
  EXPECT_THROW(call(region_of(kAddTwice, options), {at::ones({2}), at::ones({2})}), InternalError);
}

TEST_F(FallbackTest, CachedOnlyMissesWhatNoCacheHolds) {
  options.mode = Mode::cached_only;
  const auto subtract = region(kSubtract);
  call(subtract, {at::ones({2}), at::ones({2})});
  expect_fell_back(*subtract, FallbackReason::cached_only_miss);
}

TEST_F(FallbackTest, BackgroundRunsTheOriginalNodesUntilTheKernelIsReady) {
  options.mode = Mode::background;
  const auto add_relu = region(kAddRelu);
  const auto run = [&] {
    EXPECT_TRUE(at::equal(call(add_relu, {at::ones({2}), at::ones({2})}).at(0), at::full({2}, 2.0f)));
  };
  run();
  EXPECT_EQ(statistics_of(*add_relu).fallbacks[static_cast<std::size_t>(FallbackReason::not_ready)], 1u);
  while (statistics_of(*add_relu).plans.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto before = statistics_of(*add_relu).num_fallbacks();
  run();
  EXPECT_EQ(statistics_of(*add_relu).num_fallbacks(), before);
}

TEST_F(FallbackTest, TextThatTranslationRefuses) {
  const auto unknown = region(kUnknown);
  EXPECT_TRUE(at::equal(call(unknown, {at::ones({2, 2})}).at(0), at::full({2, 2}, 2.0f)));
  expect_fell_back(*unknown, FallbackReason::internal_error);
}

TEST(OffDeathTest, FollowsTheVariable) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process of its own, which reads the variable as it starts
  const Variable off("TORCHWELD_OFF", "1");
  EXPECT_EXIT(std::_Exit(Runtime::get().off() ? 17 : 1), testing::ExitedWithCode(17), "");
}

TEST(FallbackReason, HasANameForEach) {
  for (std::size_t i = 0; i < kNumFallbackReasons; ++i) EXPECT_FALSE(name_of(static_cast<FallbackReason>(i)).empty());
  EXPECT_EQ(name_of(FallbackReason::internal_error), "internal_error");
  EXPECT_EQ(reason_from_unsupported("eager_refuses"), FallbackReason::eager_refuses);
  EXPECT_EQ(reason_from_unsupported("something else"), FallbackReason::op_form);
}

}  // namespace
}  // namespace torchweld::runtime
