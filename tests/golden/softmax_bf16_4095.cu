// row V8 T256 K2 shifted
extern "C" __global__ void __launch_bounds__(256) max_sub_exp_sum_div(const bf16* __restrict__ in0,
    bf16* __restrict__ out1, i64 in0_row, i64 out1_row, unsigned n) {
  SHARED(unsigned, scratch, [2][8]);
  const unsigned t = threadIdx.x;
  const unsigned row = blockIdx.x;
  in0 += row * in0_row;
  out1 += row * out1_row;
  const unsigned to_alignment = elements_to_alignment<8>(in0);
  const unsigned head = to_alignment < n ? to_alignment : n, body_end = head + (n - head) / 8 * 8;
  const unsigned edge = t < head ? t : body_end + (t - head);  // this thread's element outside the body
  const unsigned first = head + t * 8;
  // phase 0
  Max<float> max1_state;
  float x0_edge;
  Pack<bf16, 8> x0_pack[2];
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 2048;
    if (j < body_end) {
      x0_pack[k] = load<8>(in0 + j);
    }
  }
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 2048;
    if (j < body_end) {
      #pragma unroll
      for (int v = 0; v < 8; ++v) {
        const float x0 = to_register(x0_pack[k].v[v]);
        max1_state.push(x0);
      }
    }
  }
  if (edge < n) {
    const unsigned j = edge;
    x0_edge = to_register(in0[j]);
    max1_state.push(x0_edge);
  }
  block_reduce<256>(scratch[0], max1_state);
  // phase 1
  const float max1 = max1_state.value();
  Sum<float> sum4_state;
  float exp3[2][8];
  float exp3_edge;
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 2048;
    if (j < body_end) {
      #pragma unroll
      for (int v = 0; v < 8; ++v) {
        const float x0 = to_register(x0_pack[k].v[v]);
        const float sub2 = x0 - max1;
        exp3[k][v] = exp_16(sub2);
        sum4_state.push(exp3[k][v]);
      }
    }
  }
  if (edge < n) {
    const unsigned j = edge;
    const float sub2 = x0_edge - max1;
    exp3_edge = exp_16(sub2);
    sum4_state.push(exp3_edge);
  }
  block_reduce<256>(scratch[1], sum4_state);
  // phase 2
  const float sum4 = sum4_state.value();
  #pragma unroll
  for (int k = 0; k < 2; ++k) {
    const unsigned j = first + k * 2048;
    if (j < body_end) {
      float out1_values[8];
      #pragma unroll
      for (int v = 0; v < 8; ++v) {
        const float div5 = divide_16(exp3[k][v], sum4);
        out1_values[v] = div5;
      }
      store(out1 + j, packed<bf16>(out1_values));
    }
  }
  if (edge < n) {
    const unsigned j = edge;
    const float div5 = divide_16(exp3_edge, sum4);
    out1[j] = from_register<bf16>(div5);
  }
}
