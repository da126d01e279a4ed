// row V4 T128 K2
extern "C" __global__ void __launch_bounds__(128) argmax_kernel(const float* __restrict__ in0, i64* __restrict__ out1,
    i64 in0_row, unsigned n) {
  SHARED(unsigned, scratch, [1][16]);
  const unsigned t = threadIdx.x;
  const unsigned row = blockIdx.x;
  in0 += row * in0_row;
  out1 += i64(row);
  const unsigned first = t * 4;
  // phase 0
  ArgMax<float> argmax1_state;
  Pack<float, 4> x0_pack[2];
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 512;
    if (j < n) {
      x0_pack[k] = load<4>(in0 + j);
    }
  }
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 512;
    if (j < n) {
      #pragma unroll
      for (int v = 0; v < 4; ++v) {
        const float x0 = x0_pack[k].v[v];
        argmax1_state.push(x0, (j + v));
      }
    }
  }
  block_reduce<128>(scratch[0], argmax1_state);
  // phase 1
  const i64 argmax1 = argmax1_state.value();
  if (t == 0) out1[0] = argmax1;
}
