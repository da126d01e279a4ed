// pack.cuh: V neighbours of one type, accessed in words of up to 16 bytes.

template <class T, int V>
struct Pack {
  T v[V];
};

template <int kBytes>
struct Word;
template <>
struct Word<1> {
  typedef unsigned char type;
};
template <>
struct Word<2> {
  typedef unsigned short type;
};
template <>
struct Word<4> {
  typedef unsigned type;
};
template <>
struct Word<8> {
  typedef uint2 type;
};
template <>
struct Word<16> {
  typedef uint4 type;
};

constexpr DEV int word_bytes(int bytes, int most) { return bytes < most ? bytes : most; }

// ---- p[0], ..., p[V - 1]; p is a multiple of kMost bytes, or of the whole where that is less
//   load<V, kMost>(p)  load_upto<V, kMost>(p, n)   the second: only the first n, zeros after
//   store<kMost>(p, pack)  store_upto<kMost>(p, pack, n)
template <int V, int kMost = 16, class T>
DEV Pack<T, V> load(const T* p) {
  constexpr int kBytes = word_bytes(int(sizeof(T)) * V, kMost);
  typedef typename Word<kBytes>::type W;
  Pack<T, V> pack;
#pragma unroll
  for (int i = 0; i < int(sizeof(pack)) / kBytes; ++i) {
    const W word = reinterpret_cast<const W*>(p)[i];
    memcpy(reinterpret_cast<char*>(&pack) + i * kBytes, &word, kBytes);
  }
  return pack;
}
template <int V, int kMost = 16, class T, class N>
DEV Pack<T, V> load_upto(const T* p, N n) {
  if (n >= V) return load<V, kMost>(p);
  Pack<T, V> pack;
#pragma unroll
  for (int i = 0; i < V; ++i) pack.v[i] = i < int(n) ? p[i] : T();
  return pack;
}
template <int kMost = 16, int V, class T>
DEV void store(T* p, const Pack<T, V>& pack) {
  constexpr int kBytes = word_bytes(int(sizeof(T)) * V, kMost);
  typedef typename Word<kBytes>::type W;
#pragma unroll
  for (int i = 0; i < int(sizeof(pack)) / kBytes; ++i) {
    W word;
    memcpy(&word, reinterpret_cast<const char*>(&pack) + i * kBytes, kBytes);
    reinterpret_cast<W*>(p)[i] = word;
  }
}
template <int kMost = 16, int V, class T, class N>
DEV void store_upto(T* p, const Pack<T, V>& pack, N n) {
  if (n >= V) return store<kMost>(p, pack);
#pragma unroll
  for (int i = 0; i < V; ++i)
    if (i < int(n)) p[i] = pack.v[i];
}

// ---- V registers as they go to memory; 16-bit floats two at a time
//   packed<T>(values)
template <class T>
struct Packer {
  template <int V, class U>
  static DEV Pack<T, V> from(const U (&values)[V]) {
    Pack<T, V> pack;
#pragma unroll
    for (int i = 0; i < V; ++i) pack.v[i] = from_register<T>(values[i]);
    return pack;
  }
};
template <class T, unsigned (*kPair)(float, float)>
struct PairPacker {
  template <int V>
  static DEV Pack<T, V> from(const float (&values)[V]) {
    Pack<T, V> pack;
#pragma unroll
    for (int i = 0; i + 1 < V; i += 2) {
      const unsigned pair = kPair(values[i], values[i + 1]);
      memcpy(pack.v + i, &pair, sizeof pair);
    }
    return pack;
  }
};
template <>
struct Packer<bf16> : PairPacker<bf16, bf16x2_from_float> {};
template <>
struct Packer<f16> : PairPacker<f16, f16x2_from_float> {};
template <class T, int V, class U>
DEV Pack<T, V> packed(const U (&values)[V]) {
  return Packer<T>::from(values);
}

// ---- Rows that begin anywhere: an aligned body between at most V - 1 elements before it and after it
//   elements_to_alignment<V>(p)   from p to the next address that is a multiple of V elements
template <int V, class T>
DEV unsigned elements_to_alignment(const T* p) {
  const unsigned misalignment = unsigned(reinterpret_cast<u64>(p) / sizeof(T)) % V;
  return (V - misalignment) % V;
}
