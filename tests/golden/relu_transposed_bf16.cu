// transposed V2 T256 K8
extern "C" __global__ void __launch_bounds__(256) relu_add_mul(const bf16* __restrict__ in0,
    const bf16* __restrict__ in1, const bf16* __restrict__ in2, bf16* __restrict__ out3, Divisor squares1,
    Divisor squares0, i64 in0_row, i64 in1_row, i64 out3_row, unsigned extent0, unsigned extent1, unsigned in0_stride1,
    unsigned in1_stride0, unsigned out3_stride0) {
  SHARED(bf16, in0_square, [64][66]);
  const unsigned x = threadIdx.x % 32, y = threadIdx.x / 32;
  const unsigned block = blockIdx.x, strip = quotient(block, squares1), at_1 = (block - strip * extent(squares1)) * 64;
  const unsigned row = quotient(strip, squares0), at_0 = (strip - row * extent(squares0)) * 64;
  in0 += row * in0_row;
  in1 += row * in1_row;
  out3 += row * out3_row;
  Pack<bf16, 2> x0_raw[8];
  #pragma unroll
  for (int k = 0; k < 8; ++k) {
    const unsigned j_0 = at_0 + x * 2, j_1 = at_1 + y + k * 8;
    if (j_0 < extent0 && j_1 < extent1) {
      x0_raw[k] = load<2>(in0 + j_0 + j_1 * in0_stride1);
    }
  }
  Pack<bf16, 2> x1_raw[8];
  Pack<bf16, 2> x2_raw[8];
  #pragma unroll
  for (int k = 0; k < 8; ++k) {
    const unsigned j_0 = at_0 + y + k * 8, j_1 = at_1 + x * 2;
    if (j_0 < extent0 && j_1 < extent1) {
      x1_raw[k] = load<2>(in1 + j_0 * in1_stride0 + j_1);
      x2_raw[k] = load<2>(in2 + j_1);
    }
  }
  #pragma unroll
  for (int k = 0; k < 8; ++k) {
    const unsigned j_0 = at_0 + x * 2, j_1 = at_1 + y + k * 8;
    if (j_0 < extent0 && j_1 < extent1) {
      store(in0_square[y + k * 8] + x * 2, x0_raw[k]);
    }
  }
  block_sync();
  #pragma unroll
  for (int k = 0; k < 8; ++k) {
    const unsigned j_0 = at_0 + y + k * 8, j_1 = at_1 + x * 2;
    if (j_0 < extent0 && j_1 < extent1) {
      float out3_values[2];
      #pragma unroll
      for (int v = 0; v < 2; ++v) {
        const float x0 = to_register(in0_square[x * 2 + v][y + k * 8]);
        const float relu1 = tw_max(x0, float(0));
        const float x1 = to_register(x1_raw[k].v[v]);
        const float add3 = x1 + relu1;
        const float x2 = to_register(x2_raw[k].v[v]);
        const float mul5 = add3 * x2;
        out3_values[v] = mul5;
      }
      store(out3 + j_0 * out3_stride0 + j_1, packed<bf16>(out3_values));
    }
  }
}
