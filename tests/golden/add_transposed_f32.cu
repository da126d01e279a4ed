// transposed V1 T256 K4 exact
extern "C" __global__ void __launch_bounds__(256) add_kernel(const float* __restrict__ in0,
    const float* __restrict__ in1, float* __restrict__ out2, Divisor squares1, unsigned in1_stride1,
    unsigned in0_stride0, float c0, unsigned out2_stride0) {
  SHARED(float, in1_square, [32][33]);
  const unsigned x = threadIdx.x % 32, y = threadIdx.x / 32;
  const unsigned block = blockIdx.x, strip = quotient(block, squares1), at_1 = (block - strip * extent(squares1)) * 32;
  const unsigned at_0 = strip * 32;
  float x1_raw[4];
  #pragma unroll
  for (int k = 0; k < 4; ++k) {
    const unsigned j_0 = at_0 + x, j_1 = at_1 + y + k * 8;
    x1_raw[k] = in1[j_0 + j_1 * in1_stride1];
  }
  float x0_raw[4];
  #pragma unroll
  for (int k = 0; k < 4; ++k) {
    const unsigned j_0 = at_0 + y + k * 8, j_1 = at_1 + x;
    x0_raw[k] = in0[j_0 * in0_stride0 + j_1];
  }
  #pragma unroll
  for (int k = 0; k < 4; ++k) {
    const unsigned j_0 = at_0 + x, j_1 = at_1 + y + k * 8;
    in1_square[y + k * 8][x] = x1_raw[k];
  }
  block_sync();
  #pragma unroll
  for (int k = 0; k < 4; ++k) {
    const unsigned j_0 = at_0 + y + k * 8, j_1 = at_1 + x;
    const float x0 = x0_raw[k];
    const float x1 = in1_square[x][y + k * 8];
    const float add2 = x0 + c0 * x1;
    out2[j_0 * out2_stride0 + j_1] = add2;
  }
}
