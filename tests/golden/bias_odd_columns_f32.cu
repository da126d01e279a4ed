// pointwise V4 T128 K2 exact
extern "C" __global__ void __launch_bounds__(128) add_kernel(const float* __restrict__ in0,
    const float* __restrict__ in1, float* __restrict__ out2, Divisor extent1) {
  const unsigned first = (blockIdx.x * 256 + threadIdx.x) * 4;
  Pack<float, 4> x0_pack[2];
  Pack<float, 4> x1_pack[2];
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 512;
    x0_pack[k] = load<4>(in0 + j);
    #pragma unroll
    for (int v = 0; v < 4; ++v) {
      const unsigned i = j + v;
      const unsigned i_0 = quotient(i, extent1), i_1 = i - i_0 * extent(extent1);
      x1_pack[k].v[v] = in1[i_1];
    }
  }
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 512;
    float out2_values[4];
    #pragma unroll
    for (int v = 0; v < 4; ++v) {
      const float x0 = x0_pack[k].v[v];
      const float x1 = x1_pack[k].v[v];
      const float add2 = x0 + x1;
      out2_values[v] = add2;
    }
    store(out2 + j, packed<float>(out2_values));
  }
}
