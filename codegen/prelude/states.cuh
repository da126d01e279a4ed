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

template <class T>
struct alignas(sizeof(T) < 4 ? 4 : sizeof(T)) Sum {
  T total = T(0);
  DEV void push(T x) { total = add_wrapping(total, x); }
  DEV void merge(const Sum& other) { push(other.total); }
  DEV T value() const { return total; }
};
template <class T>
struct alignas(sizeof(T) < 4 ? 4 : sizeof(T)) Prod {
  T total = T(1);
  DEV void push(T x) { total = multiply_wrapping(total, x); }
  DEV void merge(const Prod& other) { push(other.total); }
  DEV T value() const { return total; }
};
template <class T>
struct alignas(sizeof(T) < 4 ? 4 : sizeof(T)) Max {
  T best = lowest<T>();
  DEV void push(T x) { best = tw_max(best, x); }
  DEV void merge(const Max& other) { push(other.best); }
  DEV T value() const { return best; }
};
template <class T>
struct alignas(sizeof(T) < 4 ? 4 : sizeof(T)) Min {
  T best = highest<T>();
  DEV void push(T x) { best = tw_min(best, x); }
  DEV void merge(const Min& other) { push(other.best); }
  DEV T value() const { return best; }
};
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
