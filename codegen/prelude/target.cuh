// target.cuh: everything in the prelude that is a CUDA keyword, a CUDA built-in or PTX. The rest of the prelude builds
// on these names and on nothing else of CUDA. It needs no header, so NVRTC alone compiles it.
// tests/emulation/target_emulated.h defines the same names for the host: a name added here is added there.
//
// Plain CUDA that kernel text may use, since the emulation knows it by the same name:
//   threadIdx blockIdx blockDim gridDim  __global__ __launch_bounds__ __restrict__  __ldg  memcpy
//   uint2 uint4 float2 float4 and their make_uint2...  __umulhi __umul64hi __popc __clz
//   __syncthreads() __syncwarp() __threadfence() atomicAdd(unsigned*, unsigned)
//   __float_as_uint __uint_as_float __float_as_int __int_as_float __double_as_longlong __longlong_as_double
//   __fmul_rn __fadd_rn __fmaf_rn __frcp_rn __fdiv_rn __fsqrt_rn  rsqrtf  isnan isinf isfinite  min max abs
//   the functions of <math.h>, for float and double
// `__shared__` is not among them: SHARED and DYN_SHARED declare shared memory.

// ---- Keywords
//   DEV                       before every device function
//   SHARED(T, name, [n]...)   shared memory of the block, 16-byte aligned, uninitialised; T has no commas:
//                             SHARED(float, tile, [32][33])
//   DYN_SHARED(T, name)       T* name: the dynamic shared memory of the launch, 16-byte aligned
//   i64 u64                   64-bit integers
//   bf16 f16                  { unsigned short bits; }, storage only
//   float_infinity() float_nan() double_infinity() double_nan()
#define DEV __device__ __forceinline__
#define SHARED(T, name, ...) __shared__ __align__(16) T name __VA_ARGS__
#define DYN_SHARED(T, name)                                                                                            \
  extern __shared__ __align__(16) unsigned char dynamic_shared_bytes[];                                                \
  T* name = reinterpret_cast<T*>(dynamic_shared_bytes)

typedef long long i64;
typedef unsigned long long u64;

struct bf16 {
  unsigned short bits;
};
struct f16 {
  unsigned short bits;
};

DEV float float_infinity() { return __int_as_float(0x7f800000); }
DEV float float_nan() { return __int_as_float(0x7fc00000); }
DEV double double_infinity() { return __longlong_as_double(0x7ff0000000000000ll); }
DEV double double_nan() { return __longlong_as_double(0x7ff8000000000000ll); }

// ---- Conversions, rounded to nearest even
//   float_from_bf16(bf16)  bf16_from_float(float)
//   float_from_f16(f16)    f16_from_float(float)
//   bf16x2_from_float(low, high)  f16x2_from_float(low, high)    two values in one word, `low` at the lower address
DEV float float_from_bf16(bf16 x) { return __uint_as_float(unsigned(x.bits) << 16); }
DEV bf16 bf16_from_float(float x) {
  bf16 r;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r.bits) : "f"(x));
  return r;
}
DEV float float_from_f16(f16 x) {
  float r;
  asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x.bits));
  return r;
}
DEV f16 f16_from_float(float x) {
  f16 r;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r.bits) : "f"(x));
  return r;
}
DEV unsigned bf16x2_from_float(float low, float high) {
  unsigned r;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
}
DEV unsigned f16x2_from_float(float low, float high) {
  unsigned r;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
}

// ---- Arithmetic
//   max_nan(a, b)  min_nan(a, b)      NaN if either is NaN; -0 < +0
//   rcp_approx(x)                     1/x, like the next two to about 2^-22 and with denormals: for 16-bit results
//   ex2_approx(x)  lg2_approx(x)      2^x, log2 x
DEV float max_nan(float a, float b) {
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
DEV float min_nan(float a, float b) {
  float r;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
DEV float rcp_approx(float x) {
  float r;
  asm("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
DEV float ex2_approx(float x) {
  float r;
  asm("ex2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
DEV float lg2_approx(float x) {
  float r;
  asm("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}

// ---- Threads of a warp, a block, a grid
// All 32 lanes of a warp take part in its exchanges and barriers, all threads of a block in the block's.
//   shfl_xor_word(x, offset, width)   x of lane (own lane ^ offset), within segments of `width` lanes
//   shfl_down_word(x, offset, width)  x of lane (own lane + offset)
//   shfl_word(x, lane)                x of `lane`
//   warp_ballot(predicate)            one bit for each lane
//   warp_sync()  block_sync()         barriers
//   thread_fence()                    earlier writes are seen by every block before later ones
//   atomic_add(p, x)                  on global memory, gives the old value
DEV unsigned shfl_xor_word(unsigned x, int offset, int width) { return __shfl_xor_sync(0xffffffffu, x, offset, width); }
DEV unsigned shfl_down_word(unsigned x, int offset, int width) {
  return __shfl_down_sync(0xffffffffu, x, offset, width);
}
DEV unsigned shfl_word(unsigned x, int lane) { return __shfl_sync(0xffffffffu, x, lane); }
DEV unsigned warp_ballot(bool predicate) { return __ballot_sync(0xffffffffu, predicate); }
DEV void warp_sync() { __syncwarp(); }
DEV void block_sync() { __syncthreads(); }
DEV void thread_fence() { __threadfence(); }
DEV unsigned atomic_add(unsigned* p, unsigned x) { return atomicAdd(p, x); }

// ---- Clusters of blocks (sm_90)
// A block must not exit while others may access its shared memory: end with cluster_sync().
//   cluster_rank()                    of this block within its cluster
//   cluster_sync()                    barrier of all threads of the cluster
//   cluster_arrive()  cluster_wait()  its halves
//   dsmem_load(p, rank)               the 4-byte word at the shared variable `p` of block `rank`
//   dsmem_store(p, rank, x)           writes it
DEV unsigned cluster_rank() {
  unsigned r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}
DEV void cluster_arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
DEV void cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
DEV void cluster_sync() {
  cluster_arrive();
  cluster_wait();
}
DEV unsigned dsmem_address(const void* p, unsigned rank) {
  unsigned r;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(r)
               : "r"(unsigned(__cvta_generic_to_shared(p))), "r"(rank));
  return r;
}
DEV unsigned dsmem_load(const void* p, unsigned rank) {
  unsigned x;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(x) : "r"(dsmem_address(p, rank)) : "memory");
  return x;
}
DEV void dsmem_store(void* p, unsigned rank, unsigned x) {
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(dsmem_address(p, rank)), "r"(x) : "memory");
}
