#include "emulation/emulation.h"

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "emulation/kernel_test.h"

namespace torchweld::emulation {
namespace {

using EmulatedValues = EmulationTest;

std::vector<float> ramp(std::size_t n) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

constexpr const char* kRowSum =
    R"(extern "C" __global__ void __launch_bounds__(64)
    row_sum(const float* __restrict__ x, float* __restrict__ out, unsigned n) {
  SHARED(float, part, [2]);
  float sum = 0;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) sum += x[blockIdx.x * n + i];
  for (int offset = 16; offset > 0; offset >>= 1)
    sum += __uint_as_float(shfl_xor_word(__float_as_uint(sum), offset, 32));
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = part[0] + part[1];
})";

TEST_F(EmulatedValues, OfShufflesAndSharedMemoryAreRightUnderEverySeed) {
  Buffer x = buffer_of(ramp(300)), out = output_of<float>(3);
  const Argument arguments[] = {pointer_to(x), pointer_to(out), value_of(100u)};
  EXPECT_EQ(run(kernel(kRowSum), {.grid = 3, .block = 64}, arguments, {.first = 0, .count = 32}), "");
  EXPECT_THAT(out.as<float>(), testing::ElementsAre(5050, 15050, 25050));
}

TEST_F(EmulatedValues, OfAClusterPassThroughDistributedSharedMemory) {
  const Kernel cluster = kernel(R"(extern "C" __global__ void ranks(unsigned* out) {
  SHARED(unsigned, mine, [32]);
  mine[threadIdx.x] = 100 * cluster_rank() + threadIdx.x;
  cluster_sync();
  out[blockIdx.x * 32 + threadIdx.x] = dsmem_load(&mine[threadIdx.x], (cluster_rank() + 1) % 4);
  cluster_sync();
  dsmem_store(&mine[threadIdx.x], cluster_rank() ^ 1, 7);
  cluster_sync();
})");
  Buffer out = output_of<unsigned>(256);
  const Argument arguments[] = {pointer_to(out)};
  EXPECT_EQ(run(cluster, {.grid = 8, .block = 32, .cluster = 4}, arguments), "");
  const auto words = out.as<unsigned>();
  EXPECT_EQ(words[0], 100u);
  EXPECT_EQ(words[3 * 32 + 5], 5u);
  EXPECT_EQ(words[4 * 32 + 31], 131u);
}

TEST_F(EmulatedValues, OfTheLastBlockSeeTheWorkOfAllOthers) {
  const Kernel last_block = kernel(R"(extern "C" __global__ void total(float* partial, unsigned* ticket, float* out) {
  SHARED(unsigned, order, [1]);
  partial[blockIdx.x * 32 + threadIdx.x] = float(blockIdx.x);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) order[0] = atomicAdd(ticket, 1u);
  __syncthreads();
  if (order[0] != gridDim.x - 1) return;
  float sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
  if (threadIdx.x == 0) *ticket = 0;
})");
  Buffer partial{Use::scratch, std::vector<std::byte>(1280)}, out = output_of<float>(32);
  Buffer ticket = buffer_of<unsigned>({0}, Use::in_out);
  const Argument arguments[] = {pointer_to(partial), pointer_to(ticket), pointer_to(out)};
  EXPECT_EQ(run(last_block, {.grid = 10, .block = 32}, arguments, {.first = 0, .count = 24}), "");
  EXPECT_THAT(out.as<float>(), testing::Each(45));
  EXPECT_EQ(ticket.as<unsigned>()[0], 0u);
}

TEST_F(EmulatedValues, OfConversionsAreThoseOfTheDevice) {
  const Kernel convert = kernel(R"(extern "C" __global__ void convert(const float* x, unsigned* out, unsigned n) {
  const unsigned i = threadIdx.x;
  if (i < n) out[i] = unsigned(bf16_from_float(x[i]).bits) << 16 | f16_from_float(x[i]).bits;
})");
  const std::vector<float> values{1.0f, 1.00390625f, 1.01171875f, 65520.0f, 6e-8f, -0.0f, INFINITY, NAN};
  Buffer x = buffer_of(values), out = output_of<unsigned>(values.size());
  const Argument arguments[] = {pointer_to(x), pointer_to(out), value_of(8u)};
  EXPECT_EQ(run(convert, {.block = 32}, arguments), "");
  // 1 + 2^-8 and 1 + 3 * 2^-8 lie half way between two bf16 and go to the even one; 65520 is half way to f16's
  // overflow.
  EXPECT_THAT(out.as<unsigned>(), testing::ElementsAre(0x3f803c00u, 0x3f803c04u, 0x3f823c0cu, 0x47807c00u, 0x33810001u,
                                                       0x80008000u, 0x7f807c00u, 0x7fff7fffu));
}

TEST_F(EmulatedValues, OfMinAndMaxKeepNaNAndOrderZeros) {
  const Kernel extremes = kernel(R"(extern "C" __global__ void extremes(const float* x, float* out) {
  out[0] = max_nan(x[0], x[1]);
  out[1] = min_nan(x[1], x[0]);
  out[2] = max_nan(x[2], x[3]);
  out[3] = min_nan(x[2], x[3]);
})");
  Buffer x = buffer_of<float>({NAN, 1, -0.0f, 0.0f}), out = output_of<float>(4);
  const Argument arguments[] = {pointer_to(x), pointer_to(out)};
  EXPECT_EQ(run(extremes, {}, arguments), "");
  const auto y = out.as<float>();
  EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[1]));
  EXPECT_FALSE(std::signbit(y[2]));
  EXPECT_TRUE(std::signbit(y[3]));
}

TEST_F(EmulatedValues, AcceptDynamicSharedMemoryPointerOffsetsAndStructs) {
  const Kernel reverse = kernel(R"(struct Span { const float* from; unsigned n; };
extern "C" __global__ void reverse(Span x, float* out) {
  DYN_SHARED(float, tile);
  tile[threadIdx.x] = x.from[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[x.n - 1 - threadIdx.x];
})");
  Buffer x = buffer_of(ramp(5)), out = output_of<float>(4);
  Argument span{std::vector<std::byte>(16), {{0, &x, 4}}};
  span.bytes[8] = std::byte{4};
  const Argument arguments[] = {span, pointer_to(out)};
  EXPECT_EQ(run(reverse, {.block = 4, .dynamic_shared = 16}, arguments), "");
  EXPECT_THAT(out.as<float>(), testing::ElementsAre(5, 4, 3, 2));
}

TEST_F(EmulatedValues, OfManyKernelsComeFromFewCompilerCalls) {
  std::vector<Source> texts;
  texts.reserve(20);
  for (int i = 0; i < 20; ++i)
    texts.push_back(
        {"k.cu", "extern \"C\" __global__ void same_name(int* out) { *out = ours(" + std::to_string(i) + "); }"});
  const std::vector<Kernel> kernels = compile({"prelude.cuh", "DEV int ours(int x) { return x + 1; }"}, texts);
  ASSERT_EQ(kernels.size(), 20u);
  for (int i : {0, 15, 16, 19}) {
    Buffer out = output_of<int>(1);
    const Argument arguments[] = {pointer_to(out)};
    EXPECT_EQ(run(kernels[static_cast<std::size_t>(i)], {}, arguments), "");
    EXPECT_THAT(out.as<int>(), testing::ElementsAre(i + 1));
  }
}

TEST_F(EmulatedValues, ACompilerErrorNamesTextAndLine) {
  try {
    kernel("\nextern \"C\" __global__ void broken(float* out) {\n  *out = no_such_function(1);\n}");
    FAIL() << "compiled";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("k.cu:3"));
    EXPECT_THAT(error.what(), testing::HasSubstr("no_such_function"));
  }
}

}  // namespace
}  // namespace torchweld::emulation
