// looped column V8 T1024 P64 K8
extern "C" __global__ void __launch_bounds__(1024) sum_kernel(const bf16* __restrict__ in0, bf16* __restrict__ out1,
    unsigned rows, unsigned n, unsigned in0_stride) {
  SHARED(unsigned, scratch, [4224]);
  const unsigned x = threadIdx.x % 16, t = threadIdx.x / 16;  // across columns, and along them
  const unsigned wanted = (blockIdx.x * 16 + x) * 8;
  const bool live = wanted < rows;
  const unsigned row = live ? wanted : (rows - 1) / 8 * 8;  // threads past the end work along, storing nothing
  in0 += i64(row);
  out1 += i64(row);
  // phase 0
  Sum<float> sum1_state[8];
  for (unsigned first = t; first < n; first += 512) {
    Pack<bf16, 8> x0_pack[8];
    #pragma unroll
    for (int k = 0; k < 8; ++k) {
      const unsigned j = first + k * 64;
      if (j < n) {
        x0_pack[k] = load<8>(in0 + j * in0_stride);
      }
    }
    #pragma unroll
    for (int k = 0; k < 8; ++k) {
      const unsigned j = first + k * 64;
      if (j < n) {
        #pragma unroll
        for (int v = 0; v < 8; ++v) {
          const float x0 = to_register(x0_pack[k].v[v]);
          sum1_state[v].push(x0);
        }
      }
    }
  }
  column_reduce<16, 64, 8>(scratch, sum1_state);
  // phase 1
  float sum1[8];
  #pragma unroll
  for (int v = 0; v < 8; ++v) {
    sum1[v] = sum1_state[v].value();
  }
  if (live && t == 0) {
    float out1_values[8];
    #pragma unroll
    for (int v = 0; v < 8; ++v) {
      out1_values[v] = sum1[v];
    }
    store(out1, packed<bf16>(out1_values));
  }
}
