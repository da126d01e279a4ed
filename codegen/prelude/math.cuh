// math.cuh: the functions that expressions of the op table call (graph/functions.h), for each compute dtype: float,
// double, i64, i32, i16, i8, u8, bool. One text for CUDA and for the host; it needs the functions of <math.h>, and
// those that device_math.cuh and host_math.h define.

// ---- Floats
#define TW_FLOATS_1(name, function)                                                                                    \
  DEV float tw_##name(float x) { return function##f(x); }                                                              \
  DEV double tw_##name(double x) { return function(x); }
TW_FLOATS_1(expm1, expm1)
TW_FLOATS_1(log, log)
TW_FLOATS_1(log1p, log1p)
TW_FLOATS_1(log2, log2)
TW_FLOATS_1(log10, log10)
TW_FLOATS_1(sin, sin)
TW_FLOATS_1(cos, cos)
TW_FLOATS_1(tan, tan)
TW_FLOATS_1(asin, asin)
TW_FLOATS_1(acos, acos)
TW_FLOATS_1(atan, atan)
TW_FLOATS_1(sinh, sinh)
TW_FLOATS_1(cosh, cosh)
TW_FLOATS_1(asinh, asinh)
TW_FLOATS_1(acosh, acosh)
TW_FLOATS_1(atanh, atanh)
TW_FLOATS_1(exp2, exp2)
TW_FLOATS_1(lgamma, lgamma)
TW_FLOATS_1(erfc, erfc)
TW_FLOATS_1(sqrt, sqrt)
TW_FLOATS_1(floor, floor)
TW_FLOATS_1(ceil, ceil)
TW_FLOATS_1(trunc, trunc)
TW_FLOATS_1(round, rint)
TW_FLOATS_1(abs, fabs)
#undef TW_FLOATS_1
DEV float tw_rsqrt(float x) { return 1.0f / sqrtf(x); }
DEV double tw_rsqrt(double x) { return 1.0 / sqrt(x); }
DEV float tw_exp(float x) { return float_exp(x); }
DEV double tw_exp(double x) { return exp(x); }
DEV float tw_tanh(float x) { return float_tanh(x); }
DEV double tw_tanh(double x) { return tanh(x); }
DEV float tw_erf(float x) { return float_erf(x); }
DEV double tw_erf(double x) { return erf(x); }
DEV float tw_sigmoid(float x) { return float_sigmoid(x); }
DEV double tw_sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }
DEV float tw_atan2(float y, float x) { return atan2f(y, x); }
DEV double tw_atan2(double y, double x) { return atan2(y, x); }
DEV float tw_copysign(float a, float b) { return copysignf(a, b); }
DEV double tw_copysign(double a, double b) { return copysign(a, b); }
DEV float tw_hypot(float a, float b) { return hypotf(a, b); }
DEV double tw_hypot(double a, double b) { return hypot(a, b); }

template <class T>
DEV T tw_sign(T x) {
  return T(int(T(0) < x) - int(x < T(0)));
}
DEV bool tw_isnan(float x) { return x != x; }
DEV bool tw_isnan(double x) { return x != x; }
DEV bool tw_isinf(float x) { return fabsf(x) == float_infinity(); }
DEV bool tw_isinf(double x) { return fabs(x) == double_infinity(); }
DEV float tw_max(float a, float b) { return max_nan(a, b); }
DEV float tw_min(float a, float b) { return min_nan(a, b); }
DEV double tw_max(double a, double b) { return a < b || b != b ? b : a; }
DEV double tw_min(double a, double b) { return b < a || b != b ? b : a; }
DEV float tw_pow(float a, float b) { return powf(a, b); }
DEV double tw_pow(double a, double b) { return pow(a, b); }
DEV float tw_fmod(float a, float b) { return fmodf(a, b); }
DEV double tw_fmod(double a, double b) { return fmod(a, b); }
DEV float tw_trunc_div(float a, float b) { return truncf(a / b); }
DEV double tw_trunc_div(double a, double b) { return trunc(a / b); }

// Moves a remainder to the side of the divisor.
template <class T>
DEV T remainder_of_floats(T a, T b) {
  const T rest = tw_fmod(a, b);
  return rest != T(0) && (b < T(0)) != (rest < T(0)) ? rest + b : rest;
}
DEV float tw_remainder(float a, float b) { return remainder_of_floats(a, b); }
DEV double tw_remainder(double a, double b) { return remainder_of_floats(a, b); }

// floor(a / b) alone is wrong where a / b rounds up to an integer.
template <class T>
DEV T floor_div_of_floats(T a, T b) {
  if (b == T(0)) return a / b;
  const T rest = tw_fmod(a, b);
  T ratio = (a - rest) / b;
  if (rest != T(0) && (b < T(0)) != (rest < T(0))) ratio -= T(1);
  if (ratio == T(0)) return a / b < T(0) ? -T(0) : T(0);
  const T whole = tw_floor(ratio);
  return ratio - whole > T(0.5) ? whole + T(1) : whole;
}
DEV float tw_floor_div(float a, float b) { return floor_div_of_floats(a, b); }
DEV double tw_floor_div(double a, double b) { return floor_div_of_floats(a, b); }

// ---- Integers, which wrap
template <class T>
DEV T add_wrapping(T a, T b) {
  return T(u64(a) + u64(b));
}
template <class T>
DEV T multiply_wrapping(T a, T b) {
  return T(u64(a) * u64(b));
}
DEV float add_wrapping(float a, float b) { return a + b; }
DEV double add_wrapping(double a, double b) { return a + b; }
DEV float multiply_wrapping(float a, float b) { return a * b; }
DEV double multiply_wrapping(double a, double b) { return a * b; }

// An integer whose operators wrap, where C++ leaves an overflow undefined.
template <class T>
struct Wrapping {
  T value;
  DEV operator T() const { return value; }
};
template <class T>
DEV Wrapping<T> wrap(T x) {
  return {x};
}
template <class T>
DEV Wrapping<T> operator+(Wrapping<T> a, Wrapping<T> b) {
  return {add_wrapping(a.value, b.value)};
}
template <class T>
DEV Wrapping<T> operator-(Wrapping<T> a, Wrapping<T> b) {
  return {T(u64(a.value) - u64(b.value))};
}
template <class T>
DEV Wrapping<T> operator*(Wrapping<T> a, Wrapping<T> b) {
  return {multiply_wrapping(a.value, b.value)};
}
template <class T>
DEV Wrapping<T> operator-(Wrapping<T> a) {
  return {T(u64(0) - u64(a.value))};
}

template <class T>
DEV T tw_floor(T x) {
  return x;
}
template <class T>
DEV T tw_ceil(T x) {
  return x;
}
template <class T>
DEV T tw_trunc(T x) {
  return x;
}
template <class T>
DEV T tw_round(T x) {
  return x;
}
template <class T>
DEV T tw_abs(T x) {
  return x < T(0) ? T(u64(0) - u64(x)) : x;
}
template <class T>
DEV bool tw_isnan(T) {
  return false;
}
template <class T>
DEV bool tw_isinf(T) {
  return false;
}
template <class T>
DEV T tw_max(T a, T b) {
  return a < b ? b : a;
}
template <class T>
DEV T tw_min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
DEV T tw_pow(T a, T b) {
  if (b < T(0)) {  // 1 / a^-b, to 0
    const bool odd = (u64(b) & 1) != 0;
    return a == T(1) ? T(1) : a == T(-1) ? (odd ? T(-1) : T(1)) : T(0);
  }
  u64 power = 1, base = u64(a);
  for (u64 rest = u64(b); rest != 0; rest >>= 1) {
    if (rest & 1) power *= base;
    base *= base;
  }
  return T(power);
}
// A division by zero gives 0: eager raises on the host, and is undefined on a device. One by -1 may overflow.
template <class T>
DEV bool is_minus_one(T x) {
  return T(-1) < T(0) && x == T(-1);
}
template <class T>
DEV T tw_fmod(T a, T b) {
  return b == T(0) || is_minus_one(b) ? T(0) : T(a % b);
}
template <class T>
DEV T tw_trunc_div(T a, T b) {
  return b == T(0) ? T(0) : is_minus_one(b) ? T(u64(0) - u64(a)) : T(a / b);
}
template <class T>
DEV T tw_remainder(T a, T b) {
  const T rest = tw_fmod(a, b);
  return rest != T(0) && (b < T(0)) != (rest < T(0)) ? T(rest + b) : rest;
}
template <class T>
DEV T tw_floor_div(T a, T b) {
  const T whole = tw_trunc_div(a, b);
  return tw_fmod(a, b) != T(0) && (a < T(0)) != (b < T(0)) ? T(whole - T(1)) : whole;
}

template <class T>
DEV bool is_shift(T count) {
  return !(count < T(0)) && u64(count) < 8 * sizeof(T);
}
template <class T>
DEV T tw_shift_left(T x, T count) {
  return is_shift(count) ? T(u64(x) << u64(count)) : T(0);
}
template <class T>
DEV T tw_shift_right(T x, T count) {
  return is_shift(count) ? T(x >> count) : x < T(0) ? T(-1) : T(0);
}

// ---- Any dtype. A condition is true unless it equals 0.
template <class C, class T>
DEV T tw_select(C condition, T a, T b) {
  return condition != C(0) ? a : b;
}
template <class T>
DEV bool tw_not(T x) {
  return x == T(0);
}
template <class T>
DEV bool tw_and(T a, T b) {
  return a != T(0) && b != T(0);
}
template <class T>
DEV bool tw_or(T a, T b) {
  return a != T(0) || b != T(0);
}
template <class T>
DEV bool tw_xor(T a, T b) {
  return (a != T(0)) != (b != T(0));
}
template <class T>
DEV T tw_bit_not(T x) {
  return T(~x);
}
DEV bool tw_bit_not(bool x) { return !x; }
