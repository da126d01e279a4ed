// types.cuh: element types, vector access, division by an argument. Builds on target.cuh.

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef int i32;

// ---- From memory to registers and back: 16-bit floats are held as float, everything else as itself
//   to_register(x)
template <class T>
DEV T to_register(T x) {
  return x;
}
DEV float to_register(bf16 x) { return float_from_bf16(x); }
DEV float to_register(f16 x) { return float_from_f16(x); }

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
