// looped row partial V4 T512 K4
extern "C" __global__ void __launch_bounds__(512) sum_div_partial(const float* __restrict__ in0, Divisor splits,
    unsigned n, unsigned chunk, Sum<float>* __restrict__ sum1_partial) {
  SHARED(unsigned, scratch, [1][16]);
  const unsigned block = quotient(blockIdx.x, splits), split = blockIdx.x - block * extent(splits);
  const unsigned t = threadIdx.x;
  const unsigned row = block;
  const unsigned begin = split * chunk, end = begin + chunk < n ? begin + chunk : n;
  // phase 0
  Sum<float> sum1_state;
  for (unsigned first = begin + t * 4; first < end; first += 8192) {
    Pack<float, 4> x0_pack[4];
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned j = first + k * 2048;
      if (j < end) {
        x0_pack[k] = load<4>(in0 + j);
      }
    }
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
      const unsigned j = first + k * 2048;
      if (j < end) {
        #pragma unroll
        for (int v = 0; v < 4; ++v) {
          const float x0 = x0_pack[k].v[v];
          sum1_state.push(x0);
        }
      }
    }
  }
  block_reduce<512>(scratch[0], sum1_state);
  if (t == 0) {
    sum1_partial[row * extent(splits) + split] = sum1_state;
  }
}

// looped row combined V1 T128 P32 K1
extern "C" __global__ void __launch_bounds__(128) sum_div(float* __restrict__ out1, unsigned rows, unsigned splits,
    const Sum<float>* __restrict__ sum1_partial, float c0) {
  const unsigned t = threadIdx.x % 32;
  const unsigned wanted = blockIdx.x * 4 + threadIdx.x / 32;
  const bool live = wanted < rows;
  const unsigned row = live ? wanted : rows - 1;  // threads past the end work along, storing nothing
  // phase 0
  Sum<float> sum1_state;
  for (unsigned j = t; j < splits; j += 32) {
    sum1_state.merge(sum1_partial[row * splits + j]);
  }
  lane_reduce<32>(sum1_state);
  // phase 1
  const float sum1 = sum1_state.value();
  const float div2 = sum1 / c0;
  if (live && t == 0) out1[0] = div2;
}
