// looped column partial V8 T1024 P64 K8
extern "C" __global__ void __launch_bounds__(1024) sum_kernel_partial(const bf16* __restrict__ in0, Divisor splits,
    unsigned rows, unsigned n, unsigned chunk, unsigned in0_stride, Sum<float>* __restrict__ sum1_partial) {
  SHARED(unsigned, scratch, [4224]);
  const unsigned block = quotient(blockIdx.x, splits), split = blockIdx.x - block * extent(splits);
  const unsigned x = threadIdx.x % 16, t = threadIdx.x / 16;  // across columns, and along them
  const unsigned wanted = (block * 16 + x) * 8;
  const bool live = wanted < rows;
  const unsigned row = live ? wanted : (rows - 1) / 8 * 8;  // threads past the end work along, storing nothing
  in0 += i64(row);
  const unsigned begin = split * chunk, end = begin + chunk < n ? begin + chunk : n;
  // phase 0
  Sum<float> sum1_state[8];
  for (unsigned first = begin + t; first < end; first += 512) {
    Pack<bf16, 8> x0_pack[8];
    #pragma unroll
    for (int k = 0; k < 8; ++k) {
      const unsigned j = first + k * 64;
      if (j < end) {
        x0_pack[k] = load<8>(in0 + j * in0_stride);
      }
    }
    #pragma unroll
    for (int k = 0; k < 8; ++k) {
      const unsigned j = first + k * 64;
      if (j < end) {
        #pragma unroll
        for (int v = 0; v < 8; ++v) {
          const float x0 = to_register(x0_pack[k].v[v]);
          sum1_state[v].push(x0);
        }
      }
    }
  }
  column_reduce<16, 64, 8>(scratch, sum1_state);
  if (live && t == 0) {
    #pragma unroll
    for (int v = 0; v < 8; ++v) {
      sum1_partial[(row + v) * extent(splits) + split] = sum1_state[v];
    }
  }
}

// looped column combined V1 T128 P8 K1
extern "C" __global__ void __launch_bounds__(128) sum_kernel(bf16* __restrict__ out1, unsigned rows, unsigned splits,
    const Sum<float>* __restrict__ sum1_partial) {
  const unsigned t = threadIdx.x % 8;
  const unsigned wanted = blockIdx.x * 16 + threadIdx.x / 8;
  const bool live = wanted < rows;
  const unsigned row = live ? wanted : rows - 1;  // threads past the end work along, storing nothing
  out1 += i64(row);
  // phase 0
  Sum<float> sum1_state;
  for (unsigned j = t; j < splits; j += 8) {
    sum1_state.merge(sum1_partial[row * splits + j]);
  }
  lane_reduce<8>(sum1_state);
  // phase 1
  const float sum1 = sum1_state.value();
  if (live && t == 0) out1[0] = from_register<bf16>(sum1);
}
