// host.h: what target.cuh, types.cuh and pack.cuh are for CUDA, for plain C++ loops that a compiler can vectorise.
#include <math.h>
#include <string.h>

// A call would keep a loop from being vectorised.
#define DEV inline __attribute__((always_inline))

typedef long long i64;
typedef unsigned long long u64;
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef int i32;

struct bf16 {
  unsigned short bits;
};
struct f16 {
  unsigned short bits;
};

DEV float float_infinity() { return __builtin_inff(); }
DEV float float_nan() { return __builtin_nanf(""); }
DEV double double_infinity() { return __builtin_inf(); }
DEV double double_nan() { return __builtin_nan(""); }

DEV unsigned bits_of(float x) {
  unsigned bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
DEV float float_of_bits(unsigned bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// ---- 16-bit floats, rounded to nearest even, without branches
DEV float to_register(bf16 x) { return float_of_bits(unsigned(x.bits) << 16); }
DEV bf16 bf16_from_float(float x) {
  const unsigned bits = bits_of(x);
  const unsigned rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return {static_cast<unsigned short>(x != x ? 0x7fc0u : rounded)};
}
// The exponent is rebiased by a multiplication, which also makes denormals right; infinity and NaN are rebiased twice.
DEV float to_register(f16 x) {
  const unsigned magnitude = unsigned(x.bits & 0x7fff) << 13;
  const unsigned finite = bits_of(float_of_bits(magnitude) * 0x1p112f);
  const unsigned sign = unsigned(x.bits & 0x8000) << 16;
  return float_of_bits(sign | (magnitude >= 0x0f800000u ? magnitude | 0x7f800000u : finite));
}
DEV f16 f16_from_float(float x) {
  const unsigned bits = bits_of(x), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  const unsigned normal = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  // Adding 0.5 leaves the denormal's bits, rounded, at the end of the sum.
  const unsigned denormal = bits_of(float_of_bits(magnitude) + 0.5f) - 0x3f000000u;
  unsigned half = magnitude < 0x38800000u ? denormal : normal;
  half = magnitude >= 0x477ff000u ? 0x7c00u : half;
  half = magnitude > 0x7f800000u ? 0x7e00u : half;
  return {static_cast<unsigned short>(sign | half)};
}

// ---- NaN if either is NaN
DEV float max_nan(float a, float b) { return a < b || b != b ? b : a; }
DEV float min_nan(float a, float b) { return b < a || b != b ? b : a; }

// The values of one row that a later phase needs.
template <class T>
struct RowBuffer {
  explicit RowBuffer(i64 n) : values(new T[static_cast<u64>(n)]) {}
  ~RowBuffer() { delete[] values; }
  RowBuffer(const RowBuffer&) = delete;
  T& operator[](i64 i) { return values[i]; }
  T* __restrict values;
};
