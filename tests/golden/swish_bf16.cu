// pointwise V8 T128 K2 exact
extern "C" __global__ void __launch_bounds__(128) sigmoid_mul(const bf16* __restrict__ in0, bf16* __restrict__ out1) {
  const unsigned first = (blockIdx.x * 256 + threadIdx.x) * 8;
  Pack<bf16, 8> x0_pack[2];
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 1024;
    x0_pack[k] = load<8>(in0 + j);
  }
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 1024;
    float out1_values[8];
    #pragma unroll
    for (int v = 0; v < 8; ++v) {
      const float x0 = to_register(x0_pack[k].v[v]);
      const float sigmoid1 = sigmoid_16(x0);
      const float mul2 = x0 * sigmoid1;
      out1_values[v] = mul2;
    }
    store(out1 + j, packed<bf16>(out1_values));
  }
}
