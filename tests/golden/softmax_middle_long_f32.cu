// online column V4 T512 P32 K8
extern "C" __global__ void __launch_bounds__(512) max_sub_exp_sum_div(const float* __restrict__ in0,
    float* __restrict__ out1, unsigned rows, Divisor row_extent1, i64 in0_row0, i64 out1_row0, unsigned n,
    unsigned in0_stride, unsigned out1_stride) {
  SHARED(unsigned, scratch, [2176]);
  const unsigned x = threadIdx.x % 16, t = threadIdx.x / 16;  // across columns, and along them
  const unsigned wanted = (blockIdx.x * 16 + x) * 4;
  const bool live = wanted < rows;
  const unsigned row = live ? wanted : (rows - 1) / 4 * 4;  // threads past the end work along, storing nothing
  const unsigned row_0 = quotient(row, row_extent1), row_1 = row - row_0 * extent(row_extent1);
  in0 += row_0 * in0_row0 + i64(row_1);
  out1 += row_0 * out1_row0 + i64(row_1);
  // phase 0
  MaxSumExp<ExactExp> max1_state[4];
  for (unsigned first = t; first < n; first += 256) {
    Pack<float, 4> x0_pack[8];
    #pragma unroll
    for (int k = 0; k < 8; ++k) {
      const unsigned j = first + k * 32;
      if (j < n) {
        x0_pack[k] = load<4>(in0 + j * in0_stride);
      }
    }
    #pragma unroll
    for (int k = 0; k < 8; ++k) {
      const unsigned j = first + k * 32;
      if (j < n) {
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
          const float x0 = x0_pack[k].v[v];
          max1_state[v].push(x0);
        }
      }
    }
  }
  column_reduce<16, 32, 4>(scratch, max1_state);
  // phase 1
  float max1[4];
  float sum4[4];
  #pragma unroll
  for (int v = 0; v < 4; ++v) {
    max1[v] = max1_state[v].max();
    sum4[v] = max1_state[v].sum();
  }
  for (unsigned first = t; first < n; first += 256) {
    Pack<float, 4> x0_pack[8];
    #pragma unroll
    for (int k = 0; k < 8; ++k) {
      const unsigned j = first + k * 32;
      if (j < n) {
        x0_pack[k] = load<4>(in0 + j * in0_stride);
      }
    }
    #pragma unroll
    for (int k = 0; k < 8; ++k) {
      const unsigned j = first + k * 32;
      if (j < n) {
        float out1_values[4];
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
          const float x0 = x0_pack[k].v[v];
          const float sub2 = x0 - max1[v];
          const float exp3 = tw_exp(sub2);
          const float div5 = exp3 / sum4[v];
          out1_values[v] = div5;
        }
        if (live) store(out1 + j * out1_stride, packed<float>(out1_values));
      }
    }
  }
}
