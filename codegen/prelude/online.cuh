// online.cuh: softmax in one pass, for rows that are walked in steps.

// The greatest x and the sum of exp(x - greatest), in one pass. While all x are -inf the sum is 0, so that a thread
// which saw nothing else adds nothing; a whole row of them gives NaN, as exp(-inf - -inf) does.
template <class Exp>
struct MaxSumExp {
  float greatest = -float_infinity();
  float total = 0.0f;
  DEV void raise(float to) {
    if (to == greatest) return;
    total = greatest == -float_infinity() ? 0.0f : total * Exp::of(greatest - to);
    greatest = to;
  }
  DEV void push(float x) {
    raise(tw_max(greatest, x));
    if (greatest != -float_infinity()) total += Exp::of(x - greatest);
  }
  template <int V>
  DEV void push(const float (&x)[V]) {  // one rescaling for all
    float most = greatest;
#pragma unroll
    for (int v = 0; v < V; ++v) most = tw_max(most, x[v]);
    raise(most);
    if (most == -float_infinity()) return;
#pragma unroll
    for (int v = 0; v < V; ++v) total += Exp::of(x[v] - most);
  }
  DEV void merge(MaxSumExp other) {
    const float most = tw_max(greatest, other.greatest);
    raise(most);
    other.raise(most);
    total += other.total;
  }
  DEV float max() const { return greatest; }
  DEV float sum() const { return greatest == -float_infinity() ? float_nan() : total; }
};
struct ExactExp {
  static DEV float of(float x) { return tw_exp(x); }
};
