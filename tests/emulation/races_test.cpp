#include "emulation/kernel_test.h"

// What no order of threads shows, since fibers never interrupt one another between barriers.
namespace torchweld::emulation {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using EmulatedRace = EmulationTest;
using EmulatedNoRace = EmulationTest;

TEST_F(EmulatedRace, AnUpdateOfOneWordByAllThreads) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void count(float* out, unsigned n) {
  SHARED(float, sum, [1]);
  if (threadIdx.x == 0) sum[0] = 0;
  __syncthreads();
  sum[0] += 1;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum[0];
})",
                        {.block = 64}, 1, Watch::races),
              AllOf(HasSubstr("race on shared memory"), HasSubstr("at k.cu:5")));
}

TEST_F(EmulatedRace, AReadOfANeighbourWithNoBarrier) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void neighbour(float* out, unsigned n) {
  SHARED(float, tile, [32]);
  tile[threadIdx.x] = 1;
  __syncwarp();
  tile[threadIdx.x] = 2;
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
})",
                        {.block = 32}, 32, Watch::races),
              AllOf(HasSubstr("race on shared memory"), HasSubstr("k.cu:5"), HasSubstr("k.cu:6")));
}

TEST_F(EmulatedRace, AWarpBarrierDoesNotOrderOtherWarps) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void warps(float* out, unsigned n) {
  SHARED(float, tile, [64]);
  tile[threadIdx.x] = 1;
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x ^ 32];
})",
                        {.block = 64}, 64, Watch::races),
              testing::AnyOf(HasSubstr("race on shared memory"), HasSubstr("read before anything was written")));
}

TEST_F(EmulatedRace, AMemcpyWithNoBarrier) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void copy(float* out, unsigned n) {
  SHARED(float, tile, [1]);
  float mine = 1;
  if (threadIdx.x < 2) memcpy(&tile[0], &mine, sizeof mine);
  __syncthreads();
  out[threadIdx.x] = tile[0];
})",
                        {.block = 32}, 32, Watch::races),
              AllOf(HasSubstr("race on shared memory"), HasSubstr("k.cu:4")));
}

TEST_F(EmulatedRace, AWriteToAnotherBlockBetweenArriveAndWait) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void late(float* out, unsigned n) {
  SHARED(float, mine, [1]);
  if (cluster_rank() == 0) mine[0] = 1;
  cluster_arrive();
  if (cluster_rank() == 1) mine[0] = 2;
  cluster_wait();
  out[blockIdx.x] = __uint_as_float(dsmem_load(&mine[0], 1));
  cluster_sync();
})",
                        {.grid = 2, .block = 1, .cluster = 2}, 2, Watch::races),
              AllOf(HasSubstr("race on shared memory"), HasSubstr("k.cu:5"), HasSubstr("k.cu:7")));
}

TEST_F(EmulatedRace, AReadOfWhatNobodyWrote) {
  EXPECT_THAT(report_of(R"(extern "C" __global__ void garbage(float* out, unsigned n) {
  SHARED(float, tile, [32]);
  if (threadIdx.x != 5) tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x] > 0 ? 1 : 2;
})",
                        {.block = 32}, 32, Watch::races),
              AllOf(HasSubstr("read before anything was written"), HasSubstr("k.cu:5")));
}

TEST_F(EmulatedNoRace, WhereBarriersOrderEveryPair) {
  EXPECT_EQ(report_of(R"(extern "C" __global__ void ordered(float* out, unsigned n) {
  SHARED(float, tile, [64]);
  SHARED(unsigned short, halves, [64]);
  tile[threadIdx.x] = 1;
  halves[threadIdx.x] = 1;
  __syncwarp();
  float sum = tile[threadIdx.x ^ 1];
  __syncthreads();
  sum += tile[63 - threadIdx.x] + halves[63 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 8) memcpy(&tile[threadIdx.x * 4], &sum, sizeof sum);
  cluster_sync();
  sum += __uint_as_float(dsmem_load(&tile[threadIdx.x % 8 * 4], cluster_rank() ^ 1));
  cluster_sync();
  out[blockIdx.x * 64 + threadIdx.x] = sum;
})",
                      {.grid = 4, .block = 64, .cluster = 2}, 4 * 64, Watch::races),
            "");
}

}  // namespace
}  // namespace torchweld::emulation
