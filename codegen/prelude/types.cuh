// types.cuh: element types, vector access, division by an argument. Builds on target.cuh.

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef int i32;

// ---- From memory to registers and back: 16-bit floats are held as float, everything else as itself
//   to_register(x)     from_register<T>(x)
//   round_to<T>(x)     the register's value after a stay in memory as T
template <class T>
DEV T to_register(T x) {
  return x;
}
DEV float to_register(bf16 x) { return float_from_bf16(x); }
DEV float to_register(f16 x) { return float_from_f16(x); }

template <class T>
struct Stored {
  template <class U>
  static DEV T from(U x) {
    return T(x);
  }
};
template <>
struct Stored<bf16> {
  static DEV bf16 from(float x) { return bf16_from_float(x); }
};
template <>
struct Stored<f16> {
  static DEV f16 from(float x) { return f16_from_float(x); }
};
template <class T, class U>
DEV T from_register(U x) {
  return Stored<T>::from(x);
}
template <class T>
DEV float round_to(float x) {
  return to_register(from_register<T>(x));
}

// ---- Division of an index by an argument, exact for dividends below 2^31. Kernels of more than 2^31 elements divide
// 64-bit integers instead.
//   quotient(n, d)   extent(d)
struct Divisor {
  unsigned multiplier, shift, divisor;
};
DEV unsigned quotient(unsigned n, Divisor d) { return (__umulhi(n, d.multiplier) + n) >> d.shift; }
DEV unsigned extent(Divisor d) { return d.divisor; }
DEV i64 quotient(i64 n, i64 d) { return i64(u64(n) / u64(d)); }
DEV i64 extent(i64 d) { return d; }
