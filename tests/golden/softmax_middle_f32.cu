// online row V1 T128 P1 K4
extern "C" __global__ void __launch_bounds__(128) max_sub_exp_sum_div(const float* __restrict__ in0,
    float* __restrict__ out1, unsigned rows, Divisor row_extent1, i64 in0_row0, i64 out1_row0, unsigned n,
    unsigned in0_stride, unsigned out1_stride) {
  const unsigned wanted = blockIdx.x * 128 + threadIdx.x;
  const bool live = wanted < rows;
  const unsigned row = live ? wanted : rows - 1;  // threads past the end work along, storing nothing
  const unsigned row_0 = quotient(row, row_extent1), row_1 = row - row_0 * extent(row_extent1);
  in0 += row_0 * in0_row0 + i64(row_1);
  out1 += row_0 * out1_row0 + i64(row_1);
  // phase 0
  MaxSumExp<ExactExp> max1_state;
  for (unsigned first = 0; first < n; first += 4) {
    float x0_raw[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned j = first + k;
      if (j < n) {
        x0_raw[k] = in0[j * in0_stride];
      }
    }
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned j = first + k;
      if (j < n) {
        const float x0 = x0_raw[k];
        max1_state.push(x0);
      }
    }
  }
  // phase 1
  const float max1 = max1_state.max();
  const float sum4 = max1_state.sum();
  for (unsigned first = 0; first < n; first += 4) {
    float x0_raw[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned j = first + k;
      if (j < n) {
        x0_raw[k] = in0[j * in0_stride];
      }
    }
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned j = first + k;
      if (j < n) {
        const float x0 = x0_raw[k];
        const float sub2 = x0 - max1;
        const float exp3 = tw_exp(sub2);
        const float div5 = exp3 / sum4;
        if (live) out1[j * out1_stride] = div5;
      }
    }
  }
}
