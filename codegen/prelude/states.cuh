// states.cuh: what a reduction has seen so far. push() takes one element, merge() another state, and value() is the
// result. A state is a whole number of 4-byte words; a new one is the identity.

template <class T>
DEV T lowest() {
  return T(T(-1) < T(0) ? u64(1) << (8 * sizeof(T) - 1) : 0);
}
template <class T>
DEV T highest() {
  return T(T(-1) < T(0) ? (u64(1) << (8 * sizeof(T) - 1)) - 1 : ~u64(0));
}
template <>
DEV float lowest<float>() {
  return -float_infinity();
}
template <>
DEV float highest<float>() {
  return float_infinity();
}
template <>
DEV double lowest<double>() {
  return -double_infinity();
}
template <>
DEV double highest<double>() {
  return double_infinity();
}
template <>
DEV bool lowest<bool>() {
  return false;
}
template <>
DEV bool highest<bool>() {
  return true;
}

// ---- States of one value: an operation and what it starts from
struct Adding {
  template <class T>
  static DEV T start() {
    return T(0);
  }
  template <class T>
  static DEV T of(T a, T b) {
    return add_wrapping(a, b);
  }
};
struct Multiplying {
  template <class T>
  static DEV T start() {
    return T(1);
  }
  template <class T>
  static DEV T of(T a, T b) {
    return multiply_wrapping(a, b);
  }
};
struct Greatest {
  template <class T>
  static DEV T start() {
    return lowest<T>();
  }
  template <class T>
  static DEV T of(T a, T b) {
    return tw_max(a, b);
  }
};
struct Least {
  template <class T>
  static DEV T start() {
    return highest<T>();
  }
  template <class T>
  static DEV T of(T a, T b) {
    return tw_min(a, b);
  }
};
template <class T, class Operation>
struct alignas(sizeof(T) < 4 ? 4 : sizeof(T)) Fold {
  T result = Operation::template start<T>();
  DEV void push(T x) { result = Operation::of(result, x); }
  DEV void merge(const Fold& other) { push(other.result); }
  DEV T value() const { return result; }
};
template <class T>
using Sum = Fold<T, Adding>;
template <class T>
using Prod = Fold<T, Multiplying>;
template <class T>
using Max = Fold<T, Greatest>;
template <class T>
using Min = Fold<T, Least>;
struct Any {
  unsigned found = 0;
  DEV void push(bool x) { found |= unsigned(x); }
  DEV void merge(const Any& other) { found |= other.found; }
  DEV bool value() const { return found != 0; }
};
struct All {
  unsigned missing = 0;
  DEV void push(bool x) { missing |= unsigned(!x); }
  DEV void merge(const All& other) { missing |= other.missing; }
  DEV bool value() const { return missing == 0; }
};

// What would be padding of a state is zero, so that equal states have equal bytes in memory.
template <int kBytes>
struct Filler {
  unsigned char zeros[kBytes] = {};
};
template <>
struct Filler<0> {};

// The first NaN wins, else the lowest index of the best value. An index of -1 means that nothing was seen.
template <class T, bool kMax>
struct ArgBest : Filler<8 - int(sizeof(T))> {
  T best = T(0);
  i64 index = -1;
  DEV bool beaten_by(T x, i64 at) const {
    if (index < 0) return true;
    const bool nan = best != best, other_nan = x != x;
    if (nan || other_nan) return other_nan && (!nan || at < index);
    return (kMax ? best < x : x < best) || (x == best && at < index);
  }
  DEV void push(T x, i64 at) {
    if (!beaten_by(x, at)) return;
    best = x;
    index = at;
  }
  DEV void merge(const ArgBest& other) {
    if (other.index >= 0) push(other.best, other.index);
  }
  DEV i64 value() const { return index; }
};
template <class T>
struct ArgMax : ArgBest<T, true> {};
template <class T>
struct ArgMin : ArgBest<T, false> {};
