#pragma once

// The names of codegen/prelude/target.cuh, and the plain CUDA that kernel text may use, for the host. No standard
// headers: they take longer to compile than a kernel, and `min` and `max` would meet theirs.
#include "device/calls.h"

// ---- Keywords
#define __global__ static
#define __device__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define DEV inline
#define SHARED(T, name, ...)                                                                                           \
  static int name##_site = -1;                                                                                         \
  typedef T name##_type __VA_ARGS__;                                                                                   \
  name##_type& name = *static_cast<name##_type*>(                                                                      \
      ::emulation_device::shared_variable(name##_site, sizeof(name##_type), alignof(name##_type)))
#define DYN_SHARED(T, name) T* name = static_cast<T*>(::emulation_device::dynamic_shared())

typedef long long i64;
typedef unsigned long long u64;

struct bf16 {
  unsigned short bits;
};
struct f16 {
  unsigned short bits;
};

// ---- Vector types
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
DEV uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
DEV uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
DEV float2 make_float2(float x, float y) { return {x, y}; }
DEV float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

// ---- Memory
DEV void* emulated_memcpy(void* to, const void* from, unsigned long bytes) {
#ifdef EMULATION_WATCH_RACES
  ::emulation_device::note_access(from, bytes, false);
  ::emulation_device::note_access(to, bytes, true);
#endif
  return __builtin_memcpy(to, from, bytes);
}
#define memcpy emulated_memcpy
template <class T>
DEV T __ldg(const T* p) {
  return *p;
}
template <class T>
DEV T emulated_atomic_add(T* p, T x) {
  ::emulation_device::maybe_yield();
  const T old = *p;
  *p = old + x;
  return old;
}
DEV unsigned atomicAdd(unsigned* p, unsigned x) { return emulated_atomic_add(p, x); }
DEV void __threadfence() { ::emulation_device::maybe_yield(); }

// ---- Bits
template <class To, class From>
DEV To emulated_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "a value keeps its size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
DEV unsigned __float_as_uint(float x) { return emulated_bits<unsigned>(x); }
DEV float __uint_as_float(unsigned x) { return emulated_bits<float>(x); }
DEV int __float_as_int(float x) { return emulated_bits<int>(x); }
DEV float __int_as_float(int x) { return emulated_bits<float>(x); }
DEV i64 __double_as_longlong(double x) { return emulated_bits<i64>(x); }
DEV double __longlong_as_double(i64 x) { return emulated_bits<double>(x); }
DEV unsigned __umulhi(unsigned a, unsigned b) { return unsigned((u64(a) * b) >> 32); }
DEV u64 __umul64hi(u64 a, u64 b) { return u64((static_cast<unsigned __int128>(a) * b) >> 64); }
DEV int __popc(unsigned x) { return __builtin_popcount(x); }
DEV int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }

DEV float float_infinity() { return __builtin_inff(); }
DEV float float_nan() { return __builtin_nanf(""); }
DEV double double_infinity() { return __builtin_inf(); }
DEV double double_nan() { return __builtin_nan(""); }

// ---- Conversions, rounded to nearest even; a NaN becomes 0x7fff as on the device
DEV float float_from_bf16(bf16 x) { return __uint_as_float(unsigned(x.bits) << 16); }
DEV bf16 bf16_from_float(float x) {
  if (x != x) return {0x7fff};
  const unsigned bits = __float_as_uint(x);
  return {static_cast<unsigned short>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}
DEV float float_from_f16(f16 x) { return float(emulated_bits<_Float16>(x.bits)); }
DEV f16 f16_from_float(float x) {
  if (x != x) return {0x7fff};
  return {emulated_bits<unsigned short>(static_cast<_Float16>(x))};
}
DEV unsigned bf16x2_from_float(float low, float high) {
  return bf16_from_float(low).bits | unsigned(bf16_from_float(high).bits) << 16;
}
DEV unsigned f16x2_from_float(float low, float high) {
  return f16_from_float(low).bits | unsigned(f16_from_float(high).bits) << 16;
}

#include "math_emulated.h"

// ---- Threads of a warp, a block, a grid
DEV void __syncthreads() { ::emulation_device::block_barrier(); }
DEV void __syncwarp(unsigned mask = 0xffffffffu) { ::emulation_device::warp_barrier(mask); }
DEV unsigned __ballot_sync(unsigned mask, bool predicate) { return ::emulation_device::ballot(mask, predicate); }
template <class T>
DEV T emulated_shuffle(::emulation_device::Exchange exchange, unsigned mask, T x, unsigned by, int width) {
  return emulated_bits<T>(::emulation_device::shuffle(exchange, mask, emulated_bits<unsigned>(x), by, unsigned(width)));
}
template <class T>
DEV T __shfl_sync(unsigned mask, T x, int lane, int width = 32) {
  return emulated_shuffle(::emulation_device::Exchange::index, mask, x, unsigned(lane), width);
}
template <class T>
DEV T __shfl_xor_sync(unsigned mask, T x, int offset, int width = 32) {
  return emulated_shuffle(::emulation_device::Exchange::by_xor, mask, x, unsigned(offset), width);
}
template <class T>
DEV T __shfl_down_sync(unsigned mask, T x, unsigned offset, int width = 32) {
  return emulated_shuffle(::emulation_device::Exchange::down, mask, x, offset, width);
}
template <class T>
DEV T __shfl_up_sync(unsigned mask, T x, unsigned offset, int width = 32) {
  return emulated_shuffle(::emulation_device::Exchange::up, mask, x, offset, width);
}
DEV unsigned shfl_xor_word(unsigned x, int offset, int width) { return __shfl_xor_sync(0xffffffffu, x, offset, width); }
DEV unsigned shfl_down_word(unsigned x, int offset, int width) {
  return __shfl_down_sync(0xffffffffu, x, unsigned(offset), width);
}
DEV unsigned shfl_word(unsigned x, int lane) { return __shfl_sync(0xffffffffu, x, lane); }
DEV unsigned warp_ballot(bool predicate) { return __ballot_sync(0xffffffffu, predicate); }
DEV void warp_sync() { __syncwarp(); }
DEV void block_sync() { __syncthreads(); }
DEV void thread_fence() { __threadfence(); }
DEV unsigned atomic_add(unsigned* p, unsigned x) { return atomicAdd(p, x); }

// ---- Clusters of blocks
DEV unsigned cluster_rank() { return ::emulation_device::cluster_rank(); }
DEV void cluster_arrive() { ::emulation_device::cluster_arrive(); }
DEV void cluster_wait() { ::emulation_device::cluster_wait(); }
DEV void cluster_sync() {
  cluster_arrive();
  cluster_wait();
}
DEV unsigned dsmem_load(const void* p, unsigned rank) { return ::emulation_device::dsmem_load(p, rank); }
DEV void dsmem_store(void* p, unsigned rank, unsigned x) { ::emulation_device::dsmem_store(p, rank, x); }

// ---- The table of kernels that a compiled unit ends with
template <class... T>
struct EmulatedTypes {};
template <class Function, class... Got>
DEV void emulated_call(Function kernel, void**, EmulatedTypes<>, Got... got) {
  kernel(got...);
}
template <class Function, class Next, class... Rest, class... Got>
DEV void emulated_call(Function kernel, void** arguments, EmulatedTypes<Next, Rest...>, Got... got) {
  emulated_call(kernel, arguments + 1, EmulatedTypes<Rest...>{}, got..., *static_cast<Next*>(arguments[0]));
}
template <auto kKernel>
struct EmulatedKernel;
template <class... Arguments, void (*kKernel)(Arguments...)>
struct EmulatedKernel<kKernel> {
  static void call(void** arguments) { emulated_call(kKernel, arguments, EmulatedTypes<Arguments...>{}); }
  static constexpr unsigned kBytes[sizeof...(Arguments) + 1] = {sizeof(Arguments)..., 0};
  static constexpr ::emulation_device::KernelEntry entry(const char* name) {
    return {name, call, kBytes, sizeof...(Arguments)};
  }
};
