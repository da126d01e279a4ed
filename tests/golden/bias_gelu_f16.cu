// pointwise V8 T128 K2 exact
extern "C" __global__ void __launch_bounds__(128) add_gelu_erf(const f16* __restrict__ in0, const f16* __restrict__ in1,
    f16* __restrict__ out2, Divisor extent1) {
  const unsigned first = (blockIdx.x * 256 + threadIdx.x) * 8;
  Pack<f16, 8> x0_pack[2];
  Pack<f16, 8> x1_pack[2];
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 1024;
    const unsigned j_0 = quotient(j, extent1), j_1 = j - j_0 * extent(extent1);
    x0_pack[k] = load<8>(in0 + j);
    x1_pack[k] = load<8>(in1 + j_1);
  }
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 1024;
    float out2_values[8];
    #pragma unroll
    for (int v = 0; v < 8; ++v) {
      const float x0 = to_register(x0_pack[k].v[v]);
      const float x1 = to_register(x1_pack[k].v[v]);
      const float add2 = x0 + x1;
      const float gelu_erf3 = add2 * float(0.5) * (float(1) + tw_erf(add2 * float(0.70710678118654752440)));
      out2_values[v] = gelu_erf3;
    }
    store(out2 + j, packed<f16>(out2_values));
  }
}
