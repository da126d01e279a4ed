#pragma once

// Arithmetic for emulated kernel text: <math.h> as CUDA has it, without the header. Included by target_emulated.h.

// ---- The functions of <math.h>: C's own, and an overload of the double's name for float
#define EMULATED_MATH_1(name)                                                                                          \
  extern "C" double name(double) noexcept;                                                                             \
  extern "C" float name##f(float) noexcept;                                                                            \
  DEV float name(float x) { return name##f(x); }
#define EMULATED_MATH_2(name)                                                                                          \
  extern "C" double name(double, double) noexcept;                                                                     \
  extern "C" float name##f(float, float) noexcept;                                                                     \
  DEV float name(float x, float y) { return name##f(x, y); }
EMULATED_MATH_1(acos)
EMULATED_MATH_1(acosh)
EMULATED_MATH_1(asin)
EMULATED_MATH_1(asinh)
EMULATED_MATH_1(atan)
EMULATED_MATH_1(atanh)
EMULATED_MATH_1(cbrt)
EMULATED_MATH_1(ceil)
EMULATED_MATH_1(cos)
EMULATED_MATH_1(cosh)
EMULATED_MATH_1(erf)
EMULATED_MATH_1(erfc)
EMULATED_MATH_1(exp)
EMULATED_MATH_1(exp2)
EMULATED_MATH_1(expm1)
EMULATED_MATH_1(fabs)
EMULATED_MATH_1(floor)
EMULATED_MATH_1(lgamma)
EMULATED_MATH_1(log)
EMULATED_MATH_1(log10)
EMULATED_MATH_1(log1p)
EMULATED_MATH_1(log2)
EMULATED_MATH_1(nearbyint)
EMULATED_MATH_1(rint)
EMULATED_MATH_1(round)
EMULATED_MATH_1(sin)
EMULATED_MATH_1(sinh)
EMULATED_MATH_1(sqrt)
EMULATED_MATH_1(tan)
EMULATED_MATH_1(tanh)
EMULATED_MATH_1(tgamma)
EMULATED_MATH_1(trunc)
EMULATED_MATH_2(atan2)
EMULATED_MATH_2(copysign)
EMULATED_MATH_2(fdim)
EMULATED_MATH_2(fmax)
EMULATED_MATH_2(fmin)
EMULATED_MATH_2(fmod)
EMULATED_MATH_2(hypot)
EMULATED_MATH_2(nextafter)
EMULATED_MATH_2(pow)
EMULATED_MATH_2(remainder)
#undef EMULATED_MATH_1
#undef EMULATED_MATH_2
extern "C" double fma(double, double, double) noexcept;
extern "C" float fmaf(float, float, float) noexcept;
DEV float fma(float x, float y, float z) { return fmaf(x, y, z); }

DEV bool isnan(float x) { return __builtin_isnan(x); }
DEV bool isnan(double x) { return __builtin_isnan(x); }
DEV bool isinf(float x) { return __builtin_isinf(x) != 0; }
DEV bool isinf(double x) { return __builtin_isinf(x) != 0; }
DEV bool isfinite(float x) { return __builtin_isfinite(x); }
DEV bool isfinite(double x) { return __builtin_isfinite(x); }
DEV bool signbit(float x) { return __builtin_signbit(x) != 0; }
DEV bool signbit(double x) { return __builtin_signbit(x) != 0; }

DEV int abs(int x) { return x < 0 ? -x : x; }
DEV i64 abs(i64 x) { return x < 0 ? -x : x; }
DEV float abs(float x) { return fabsf(x); }
DEV double abs(double x) { return fabs(x); }

#define EMULATED_MIN_MAX(T)                                                                                            \
  DEV T min(T a, T b) { return b < a ? b : a; }                                                                        \
  DEV T max(T a, T b) { return a < b ? b : a; }
EMULATED_MIN_MAX(int)
EMULATED_MIN_MAX(unsigned)
EMULATED_MIN_MAX(long)
EMULATED_MIN_MAX(unsigned long)
EMULATED_MIN_MAX(i64)
EMULATED_MIN_MAX(u64)
#undef EMULATED_MIN_MAX
DEV unsigned min(int a, unsigned b) { return min(unsigned(a), b); }
DEV unsigned min(unsigned a, int b) { return min(a, unsigned(b)); }
DEV unsigned max(int a, unsigned b) { return max(unsigned(a), b); }
DEV unsigned max(unsigned a, int b) { return max(a, unsigned(b)); }
DEV float min(float a, float b) { return fminf(a, b); }
DEV float max(float a, float b) { return fmaxf(a, b); }
DEV double min(double a, double b) { return fmin(a, b); }
DEV double max(double a, double b) { return fmax(a, b); }

// ---- One rounded operation each
DEV float __fadd_rn(float a, float b) { return a + b; }
DEV float __fmul_rn(float a, float b) { return a * b; }
DEV float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
DEV float __fdiv_rn(float a, float b) { return a / b; }
DEV float __frcp_rn(float a) { return 1.0f / a; }
DEV float __fsqrt_rn(float a) { return sqrtf(a); }
DEV float rsqrtf(float x) { return 1.0f / sqrtf(x); }
DEV double rsqrt(double x) { return 1.0 / sqrt(x); }

// ---- The functions of target.cuh; an approximation is exact here
DEV float max_nan(float a, float b) {
  if (a != a || b != b) return float_nan();
  return a < b || (a == b && signbit(a)) ? b : a;
}
DEV float min_nan(float a, float b) {
  if (a != a || b != b) return float_nan();
  return b < a || (a == b && signbit(b)) ? b : a;
}
DEV float rcp_approx(float x) { return 1.0f / x; }
DEV float ex2_approx(float x) { return exp2f(x); }
DEV float lg2_approx(float x) { return log2f(x); }
