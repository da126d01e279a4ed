#include "emulation/kernel_test.h"

// Each kernel has one planted fault, which must be reported with its line. All take (float* out, unsigned n).
namespace torchweld::emulation {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using EmulatedMemoryFault = EmulationTest;
using EmulatedBarrierFault = EmulationTest;
using EmulatedWarpFault = EmulationTest;
using EmulatedClusterFault = EmulationTest;
using EmulatedLaunchFault = EmulationTest;

TEST_F(EmulatedMemoryFault, ATailWithoutItsMask) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void tail(float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = float(i);
})",
                        {.grid = 2, .block = 32}, 63),
              AllOf(HasSubstr("heap-buffer-overflow"), HasSubstr("k.cu:3"), HasSubstr("thread 31 of block 1, seed 0")));
}

TEST_F(EmulatedMemoryFault, AVectorAccessOffItsAlignment) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void vector(float* out, unsigned n) {
  for (unsigned i = 0; i < n; ++i) out[i] = 0;
  *reinterpret_cast<uint4*>(out + 1) = make_uint4(1, 2, 3, 4);
})",
                        {}, 8),
              AllOf(HasSubstr("misaligned address"), HasSubstr("k.cu:3")));
}

TEST_F(EmulatedMemoryFault, AMisalignedBufferKeepsItsMisalignment) {
  const Kernel vector = kernel(R"(extern "C" __global__ void vector(float* out) {
  *reinterpret_cast<uint4*>(out) = make_uint4(1, 2, 3, 4);
})");
  for (std::size_t misalignment : {0u, 16u, 4u}) {
    Buffer out = output_of<float>(4, misalignment);
    const Argument arguments[] = {pointer_to(out)};
    const std::string report = run(vector, {}, arguments);
    EXPECT_EQ(report.find("misaligned") != std::string::npos, misalignment == 4) << report;
  }
}

TEST_F(EmulatedMemoryFault, ASharedArrayOverrun) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void overrun(float* out, unsigned n) {
  SHARED(float, tile, [32]);
  SHARED(float, next, [32]);
  next[threadIdx.x] = tile[threadIdx.x] = 1;
  out[threadIdx.x] = (&tile[0])[threadIdx.x + 1];
})",
                        {.block = 32}, 32),
              AllOf(HasSubstr("heap-buffer-overflow"), HasSubstr("k.cu:5")));
}

TEST_F(EmulatedMemoryFault, DynamicSharedMemorySmallerThanUsed) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void dynamic(float* out, unsigned n) {
  DYN_SHARED(float, tile);
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = 1;
})",
                        {.block = 32, .dynamic_shared = 124}, 32),
              AllOf(HasSubstr("heap-buffer-overflow"), HasSubstr("k.cu:3")));
}

TEST_F(EmulatedMemoryFault, UninitialisedSharedMemory) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void garbage(float* out, unsigned n) {
  SHARED(float, tile, [32]);
  if (threadIdx.x != 5) tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = fmaxf(tile[threadIdx.x], 0.0f);
})",
                        {.block = 32}, 32),
              HasSubstr("buffer 0 differs between seeds 0 and 1 from byte 20"));
}

TEST_F(EmulatedMemoryFault, AnOutputThatIsNotWritten) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void hole(float* out, unsigned n) {
  if (threadIdx.x != 3) out[threadIdx.x] = 1;
})",
                        {.block = 32}, 32),
              HasSubstr("buffer 0 differs between seeds 0 and 1 from byte 12"));
}

TEST_F(EmulatedMemoryFault, AnInputThatIsWritten) {
  Buffer in = buffer_of<float>({1, 2, 3});
  const Argument arguments[] = {pointer_to(in)};
  EXPECT_THAT(run(kernel(R"(extern "C" __global__ void write(float* in) { in[1] = 5; })"), {}, arguments),
              HasSubstr("buffer 0, an input, is written at byte "));
}

TEST_F(EmulatedMemoryFault, UndefinedArithmetic) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void overflow(float* out, unsigned n) {
  int row = 1 << 20;
  out[0] = float(row * int(n << 12));
})",
                        {}, 1),
              AllOf(HasSubstr("signed integer overflow"), HasSubstr("k.cu:3")));
}

TEST_F(EmulatedMemoryFault, AStackOverflow) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void deep(float* out, unsigned n) {
  float local[100000];
  for (unsigned i = 0; i < n; ++i) local[i * 99999 % 100000] = out[i];
  out[0] = local[n];
})",
                        {}, 2),
              HasSubstr("stack-overflow"));
}

TEST_F(EmulatedBarrierFault, AMissingBlockBarrier) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void neighbour(float* out, unsigned n) {
  SHARED(float, tile, [64]);
  tile[threadIdx.x] = float(threadIdx.x);
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
})",
                        {.block = 64}, 64),
              HasSubstr("differs between seeds"));
}

TEST_F(EmulatedBarrierFault, AMissingBlockBarrierBeforeMemoryIsUsedAgain) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void again(float* out, unsigned n) {
  SHARED(float, tile, [64]);
  float sum = 0;
  for (unsigned k = 0; k < 3; ++k) {
    tile[threadIdx.x] = float(threadIdx.x * k);
    __syncthreads();
    sum += tile[63 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
})",
                        {.block = 64}, 64),
              HasSubstr("differs between seeds"));
}

TEST_F(EmulatedBarrierFault, AThreadThatExitsEarly) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void early(float* out, unsigned n) {
  if (threadIdx.x >= n) return;
  __syncthreads();
  out[threadIdx.x] = 1;
})",
                        {.block = 64}, 60),
              AllOf(HasSubstr("deadlock"), HasSubstr("block 0: 60 threads (0..59) wait at a block barrier, k.cu:3"),
                    HasSubstr("4 threads (60..63) exited")));
}

TEST_F(EmulatedBarrierFault, ABarrierThatSomeThreadsSkip) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void skip(float* out, unsigned n) {
  if (threadIdx.x < 32) __syncthreads();
  out[threadIdx.x] = 1;
})",
                        {.block = 64}, 64),
              AllOf(HasSubstr("deadlock"), HasSubstr("k.cu:2")));
}

TEST_F(EmulatedBarrierFault, DifferentBarriersThatMeet) {
  EXPECT_THAT(
      report_of(R"(extern "C" __global__ void differ(float* out, unsigned n) {
  if (threadIdx.x < 32) __syncthreads();
  else __syncthreads();
  out[threadIdx.x] = 1;
})",
                {.block = 64}, 64),
      AllOf(HasSubstr("different block barriers"), HasSubstr("first arrived at k.cu:2"), HasSubstr("at k.cu:3")));
}

TEST_F(EmulatedBarrierFault, ATicketTakenBeforeTheBlockHasWritten) {
  Buffer partial{Use::scratch, std::vector<std::byte>(16384)}, out = output_of<float>(1);
  Buffer ticket = buffer_of<unsigned>({0}, Use::in_out);
  const Argument arguments[] = {pointer_to(partial), pointer_to(ticket), pointer_to(out)};
  const Kernel total = kernel(R"(extern "C" __global__ void total(float* partial, unsigned* ticket, float* out) {
  SHARED(unsigned, order, [1]);
  if (threadIdx.x == 0) order[0] = atomicAdd(ticket, 1u);
  partial[blockIdx.x * 64 + threadIdx.x] = 1;
  __syncthreads();
  if (order[0] != gridDim.x - 1 || threadIdx.x != 0) return;
  float sum = 0;
  for (unsigned i = 0; i < 64 * gridDim.x; ++i) sum += partial[i];
  *out = sum;
  *ticket = 0;
})");
  EXPECT_THAT(run(total, {.grid = 64, .block = 64}, arguments, {.first = 0, .count = 24}),
              HasSubstr("buffer 2 differs between seeds"));
}

TEST_F(EmulatedWarpFault, AMissingWarpBarrier) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void neighbour(float* out, unsigned n) {
  SHARED(float, tile, [32]);
  tile[threadIdx.x] = float(threadIdx.x);
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
})",
                        {.block = 32}, 32),
              HasSubstr("differs between seeds"));
}

TEST_F(EmulatedWarpFault, ALaneThatDoesNotShuffle) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void lane(float* out, unsigned n) {
  unsigned x = threadIdx.x;
  if (x < 31) x = shfl_xor_word(x, 1, 32);
  __syncthreads();
  out[threadIdx.x] = float(x);
})",
                        {.block = 32}, 32),
              AllOf(HasSubstr("deadlock"), HasSubstr("31 threads (0..30) wait at a warp barrier or exchange, k.cu:3"),
                    HasSubstr("1 threads (31) wait at a block barrier, k.cu:4")));
}

TEST_F(EmulatedWarpFault, AShuffleFromALaneOutsideTheMask) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void mask(float* out, unsigned n) {
  float x = float(threadIdx.x);
  if (threadIdx.x < 16) x = __shfl_xor_sync(0x0000ffffu, x, 16);
  out[threadIdx.x] = x;
})",
                        {.block = 32}, 32),
              AllOf(HasSubstr("lane 0 reads lane 16"), HasSubstr("k.cu:3")));
}

TEST_F(EmulatedWarpFault, AShuffleByALaneOutsideItsMask) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void mask(float* out, unsigned n) {
  out[threadIdx.x] = __shfl_sync(0x0000ffffu, 1.0f, 0);
})",
                        {.block = 32}, 32),
              AllOf(HasSubstr("is not in its own mask"), HasSubstr("k.cu:2")));
}

TEST_F(EmulatedWarpFault, AFullMaskInABlockOfLessThanAWarp) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void small(float* out, unsigned n) {
  out[threadIdx.x] = float(shfl_word(threadIdx.x, 0));
})",
                        {.block = 16}, 16),
              HasSubstr("lanes that the block does not have: its last warp has 16"));
}

TEST_F(EmulatedClusterFault, AMissingClusterBarrierBeforeARead) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void read(float* out, unsigned n) {
  SHARED(float, mine, [1]);
  mine[0] = float(cluster_rank());
  out[blockIdx.x] = __uint_as_float(dsmem_load(&mine[0], cluster_rank() ^ 1));
  cluster_sync();
})",
                        {.grid = 2, .block = 1, .cluster = 2}, 2),
              HasSubstr("differs between seeds"));
}

TEST_F(EmulatedClusterFault, ABlockThatExitsWhileOthersReadIt) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void leave(float* out, unsigned n) {
  SHARED(float, mine, [1]);
  mine[0] = float(cluster_rank());
  cluster_sync();
  out[blockIdx.x] = __uint_as_float(dsmem_load(&mine[0], cluster_rank() ^ 1));
})",
                        {.grid = 2, .block = 1, .cluster = 2}, 2),
              AllOf(HasSubstr("of the cluster, which has exited"), HasSubstr("k.cu:5")));
}

TEST_F(EmulatedClusterFault, ABlockOutsideTheCluster) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void rank(float* out, unsigned n) {
  SHARED(float, mine, [1]);
  out[blockIdx.x] = __uint_as_float(dsmem_load(&mine[0], 2));
})",
                        {.grid = 2, .block = 1, .cluster = 2}, 2),
              HasSubstr("block 2 of a cluster of 2"));
}

TEST_F(EmulatedLaunchFault, ArgumentsThatDoNotFitTheKernel) {
  const Kernel two = kernel(R"(extern "C" __global__ void two(float* out, unsigned n) {})");
  Buffer out = output_of<float>(1);
  const Argument one[] = {pointer_to(out)}, wide[] = {pointer_to(out), value_of(std::uint64_t{1})};
  EXPECT_THAT(run(two, {}, one), HasSubstr("the launch has 1 arguments, the kernel takes 2"));
  EXPECT_THAT(run(two, {}, wide), HasSubstr("argument 1 has 8 bytes, the kernel takes 4"));
}

TEST_F(EmulatedLaunchFault, AGridThatClustersDoNotDivide) {
  const std::string text = R"(extern "C" __global__ void any(float* out, unsigned n) {})";
  EXPECT_THAT(report_of(text, {.grid = 3, .block = 32, .cluster = 2}, 1), HasSubstr("launch of 3 blocks"));
}

TEST_F(EmulatedLaunchFault, AKernelThatDoesNotEnd) {
  Buffer flag = buffer_of<int>({0}, Use::in_out);
  const Argument arguments[] = {pointer_to(flag)};
  const Kernel spin = kernel(R"(extern "C" __global__ void spin(volatile int* flag) { while (*flag == 0) {} })");
  EXPECT_THAT(run(spin, {}, arguments, {}, std::chrono::seconds(1)), HasSubstr("does not end"));
}

}  // namespace
}  // namespace torchweld::emulation
