// column V4 T512 P64 K4 exact
extern "C" __global__ void __launch_bounds__(512) max_sub_exp_sum_div(const float* __restrict__ in0,
    float* __restrict__ out1, unsigned rows, Divisor row_extent1, i64 in0_row0, i64 out1_row0, unsigned in0_stride,
    unsigned out1_stride) {
  SHARED(unsigned, scratch, [544]);
  const unsigned x = threadIdx.x % 8, t = threadIdx.x / 8;  // across columns, and along them
  const unsigned wanted = (blockIdx.x * 8 + x) * 4;
  const bool live = wanted < rows;
  const unsigned row = live ? wanted : (rows - 1) / 4 * 4;  // threads past the end work along, storing nothing
  const unsigned row_0 = quotient(row, row_extent1), row_1 = row - row_0 * extent(row_extent1);
  in0 += row_0 * in0_row0 + i64(row_1);
  out1 += row_0 * out1_row0 + i64(row_1);
  const unsigned first = t;
  // phase 0
  Max<float> max1_state[4];
  Pack<float, 4> x0_pack[4];
  #pragma unroll
  for (int k = 0; k < 4; ++k) {
    const unsigned j = first + k * 64;
    x0_pack[k] = load<4>(in0 + j * in0_stride);
  }
  #pragma unroll
  for (int k = 0; k < 4; ++k) {
    const unsigned j = first + k * 64;
    #pragma unroll
    for (int v = 0; v < 4; ++v) {
      const float x0 = x0_pack[k].v[v];
      max1_state[v].push(x0);
    }
  }
  column_reduce<8, 64, 4>(scratch, max1_state);
  // phase 1
  float max1[4];
  #pragma unroll
  for (int v = 0; v < 4; ++v) {
    max1[v] = max1_state[v].value();
  }
  Sum<float> sum4_state[4];
  float exp3[4][4];
  #pragma unroll
  for (int k = 0; k < 4; ++k) {
    const unsigned j = first + k * 64;
    #pragma unroll
    for (int v = 0; v < 4; ++v) {
      const float x0 = x0_pack[k].v[v];
      const float sub2 = x0 - max1[v];
      exp3[k][v] = tw_exp(sub2);
      sum4_state[v].push(exp3[k][v]);
    }
  }
  column_reduce<8, 64, 4>(scratch, sum4_state);
  // phase 2
  float sum4[4];
  #pragma unroll
  for (int v = 0; v < 4; ++v) {
    sum4[v] = sum4_state[v].value();
  }
  #pragma unroll
  for (int k = 0; k < 4; ++k) {
    const unsigned j = first + k * 64;
    float out1_values[4];
    #pragma unroll
    for (int v = 0; v < 4; ++v) {
      const float div5 = exp3[k][v] / sum4[v];
      out1_values[v] = div5;
    }
    if (live) store(out1 + j * out1_stride, packed<float>(out1_values));
  }
}
