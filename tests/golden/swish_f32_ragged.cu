// pointwise V4 T128 K2 ragged
extern "C" __global__ void __launch_bounds__(128) sigmoid_mul(const float* __restrict__ in0, float* __restrict__ out1,
    unsigned n) {
  const unsigned first = (blockIdx.x * 256 + threadIdx.x) * 4;
  Pack<float, 4> x0_pack[2];
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 512;
    if (j < n) {
      x0_pack[k] = load_upto<4>(in0 + j, n - j);
    }
  }
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 512;
    if (j < n) {
      float out1_values[4];
      #pragma unroll
      for (int v = 0; v < 4; ++v) {
        const float x0 = x0_pack[k].v[v];
        const float sigmoid1 = tw_sigmoid(x0);
        const float mul2 = x0 * sigmoid1;
        out1_values[v] = mul2;
      }
      store_upto(out1 + j, packed<float>(out1_values), n - j);
    }
  }
}
