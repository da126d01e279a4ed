// pointwise V8 T128 K2 exact
extern "C" __global__ void __launch_bounds__(128) cat_relu(const bf16* __restrict__ in0, const bf16* __restrict__ in1,
    bf16* __restrict__ out2, Divisor extent1, unsigned in0_stride0, unsigned in0_begin, unsigned in0_end,
    unsigned in1_stride0, unsigned in1_begin, unsigned in1_end, unsigned choose2_bound1) {
  const unsigned first = (blockIdx.x * 256 + threadIdx.x) * 8;
  Pack<bf16, 8> x0_pack[2];
  Pack<bf16, 8> x1_pack[2];
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 1024;
    const unsigned j_0 = quotient(j, extent1), j_1 = j - j_0 * extent(extent1);
    x0_pack[k] = j_1 >= in0_begin && j_1 < in0_end ? load<8>(in0 + j_0 * in0_stride0 + j_1) : Pack<bf16, 8>();
    x1_pack[k] = j_1 >= in1_begin && j_1 < in1_end ? load<8>(in1 + j_0 * in1_stride0 + j_1) : Pack<bf16, 8>();
  }
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 1024;
    const unsigned j_0 = quotient(j, extent1), j_1 = j - j_0 * extent(extent1);
    float out2_values[8];
    #pragma unroll
    for (int v = 0; v < 8; ++v) {
      const float x0 = to_register(x0_pack[k].v[v]);
      const float x1 = to_register(x1_pack[k].v[v]);
      const float choose2 = (j_1 + v) < choose2_bound1 ? x0 : x1;
      const float relu3 = tw_max(choose2, float(0));
      out2_values[v] = relu3;
    }
    store(out2 + j, packed<bf16>(out2_values));
  }
}
