// stored.cuh: from registers to memory, for every backend. Builds on to_register, bf16_from_float and f16_from_float.
//   from_register<T>(x)
//   round_to<T>(x)     the register's value after a stay in memory as T
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
