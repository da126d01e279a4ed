// The CUDA side of a call. Needs a GPU.
#include <ATen/TensorOperators.h>
#include <ATen/cuda/CUDAContextLight.h>
#include <ATen/cuda/CUDAGraph.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <gtest/gtest.h>

#include "runtime/environment.h"
#include "runtime/regions.h"
#include "runtime/statistics.h"

namespace torchweld::runtime {
namespace {

struct CudaTest : testing::Test {
  void SetUp() override {
    if (at::cuda::device_count() == 0) GTEST_SKIP() << "no CUDA device";
  }
  static void expect_fused(const Region& region) {
    const auto found = statistics_of(region);
    EXPECT_EQ(found.num_fallbacks(), 0u);
    for (const auto& plan : found.plans) EXPECT_FALSE(plan.refused) << name_of(plan.reason) << ": " << plan.details;
  }

  Folder folder;
  at::TensorOptions device{at::kCUDA};
};

TEST_F(CudaTest, RunsAKernel) {
  const auto region = region_of(kAddRelu, folder.options());
  const auto x = at::randn({300, 1000}, device);
  EXPECT_TRUE(at::equal(call(region, {x, x}).at(0), (x + x).relu()));
  expect_fused(*region);
  const auto kernel = statistics_of(*region).plans.at(0).kernels.at(0);
  EXPECT_GT(kernel.resources.registers, 0);
  EXPECT_EQ(kernel.origin, Origin::compiled);
}

TEST_F(CudaTest, GivesSeveralResults) {
  const auto region = region_of(kSeveralResults, folder.options());
  const auto x = at::randn({64, 1000}, device);
  const auto y = at::randn({1000}, device);
  const auto results = call(region, {x, y});
  const auto expected = (x + y).softmax(-1);
  EXPECT_TRUE(at::allclose(results.at(0), expected, 1e-5, 1e-7));
  EXPECT_TRUE(at::allclose(results.at(1), expected.amax(-1), 1e-5, 1e-7));
  EXPECT_TRUE(results.at(2).is_same(x));
  expect_fused(*region);
}

TEST_F(CudaTest, KeepsValuesBetweenKernels) {
  const auto region = region_of(kTwoKernels, folder.options());
  const auto x = at::randn({170, 330}, device);
  const auto expected = (2 * x).sum(0, true) + (2 * x).sum(1, true);
  EXPECT_TRUE(at::allclose(call(region, {x}).at(0), expected, 1e-4, 1e-4));
  expect_fused(*region);
}

TEST_F(CudaTest, SplitReductionsRepeatBitForBit) {
  const auto region = region_of(kTwoKernels, folder.options());
  const auto x = at::randn({100000, 64}, device);
  const auto first = call(region, {x}).at(0);
  EXPECT_TRUE(at::allclose(first, (2 * x).sum(0, true) + (2 * x).sum(1, true), 1e-4, 1e-2));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(at::equal(call(region, {x}).at(0), first));
  EXPECT_GT(statistics_of(*region).plans.at(0).kernels.size(), 2u);  // the sum over rows takes two
  expect_fused(*region);
}

TEST_F(CudaTest, PassesNumbers) {
  const auto region = region_of(kScale, folder.options());
  const auto x = at::randn({1001}, device);
  for (const double factor : {2.5, -3.0}) EXPECT_TRUE(at::equal(call(region, {x}, {factor}).at(0), x * factor));
  expect_fused(*region);
}

TEST_F(CudaTest, TakesAHostTensorWithoutDims) {
  const auto region = region_of(kAddRelu, folder.options());
  const auto x = at::randn({1001}, device);
  EXPECT_TRUE(at::equal(call(region, {x, at::full({}, 0.5f)}).at(0), (x + 0.5f).relu()));
}

TEST_F(CudaTest, FallsBackForTensorsOfTwoDevices) {
  const auto region = region_of(kAddRelu, folder.options());
  EXPECT_THROW(call(region, {at::randn({3}, device), at::randn({3})}), std::exception);
  EXPECT_EQ(statistics_of(*region).fallbacks[static_cast<std::size_t>(FallbackReason::device_mix)], 1u);
}

TEST_F(CudaTest, RunsOnTheCurrentStream) {
  const auto region = region_of(kAddRelu, folder.options());
  const auto x = at::randn({1 << 20}, device);
  call(region, {x, x});
  const auto stream = c10::cuda::getStreamFromPool();
  const c10::cuda::CUDAStreamGuard guard(stream);
  EXPECT_TRUE(at::equal(call(region, {x, x}).at(0), (x + x).relu()));
  stream.synchronize();
}

TEST_F(CudaTest, IsCapturedAndReplayed) {
  const auto region = region_of(kAddRelu, folder.options());
  const auto x = at::randn({1000}, device);
  call(region, {x, x});  // compiled and loaded before the capture
  const c10::cuda::CUDAStreamGuard guard(c10::cuda::getStreamFromPool());
  at::cuda::CUDAGraph graph;
  graph.capture_begin();
  const auto result = call(region, {x, x}).at(0);
  graph.capture_end();
  x.fill_(3.0);
  graph.replay();
  EXPECT_TRUE(at::equal(result, at::full({1000}, 6.0f, device)));
  expect_fused(*region);
}

TEST_F(CudaTest, RunsTheOriginalNodesWhereACaptureFindsNoKernel) {
  const auto region = region_of(kAddRelu, folder.options());
  const auto x = at::full({1000}, 2.0f, device);
  const c10::cuda::CUDAStreamGuard guard(c10::cuda::getStreamFromPool());
  at::cuda::CUDAGraph graph;
  graph.capture_begin();
  const auto result = call(region, {x, x}).at(0);
  graph.capture_end();
  graph.replay();
  EXPECT_TRUE(at::equal(result, at::full({1000}, 4.0f, device)));
  EXPECT_EQ(statistics_of(*region).fallbacks[static_cast<std::size_t>(FallbackReason::capturing)], 1u);
}

}  // namespace
}  // namespace torchweld::runtime
