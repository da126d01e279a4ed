// online row V4 T512 K4
extern "C" __global__ void __launch_bounds__(512) max_sub_exp_sum_div(const float* __restrict__ in0,
    float* __restrict__ out1, i64 in0_row, i64 out1_row, unsigned n) {
  SHARED(unsigned, scratch, [1][32]);
  const unsigned t = threadIdx.x;
  const unsigned row = blockIdx.x;
  in0 += row * in0_row;
  out1 += row * out1_row;
  // phase 0
  MaxSumExp<ExactExp> max1_state;
  for (unsigned first = t * 4; first < n; first += 8192) {
    Pack<float, 4> x0_pack[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned j = first + k * 2048;
      if (j < n) {
        x0_pack[k] = load<4>(in0 + j);
      }
    }
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned j = first + k * 2048;
      if (j < n) {
        float max1_input[4];
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
          const float x0 = x0_pack[k].v[v];
          max1_input[v] = x0;
        }
        max1_state.push(max1_input);
      }
    }
  }
  block_reduce<512>(scratch[0], max1_state);
  // phase 1
  const float max1 = max1_state.max();
  const float sum4 = max1_state.sum();
  for (unsigned first = t * 4; first < n; first += 8192) {
    Pack<float, 4> x0_pack[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned j = first + k * 2048;
      if (j < n) {
        x0_pack[k] = load<4>(in0 + j);
      }
    }
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned j = first + k * 2048;
      if (j < n) {
        float out1_values[4];
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
          const float x0 = x0_pack[k].v[v];
          const float sub2 = x0 - max1;
          const float exp3 = tw_exp(sub2);
          const float div5 = exp3 / sum4;
          out1_values[v] = div5;
        }
        store(out1 + j, packed<float>(out1_values));
      }
    }
  }
}
