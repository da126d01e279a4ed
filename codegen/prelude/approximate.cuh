// approximate.cuh: forms whose error, about 2^-21, disappears when a 16-bit result is rounded. Printed only where all
// outputs that depend on them are 16-bit and get there without a subtraction.

DEV float exp_16(float x) { return ex2_approx(x * 1.4426950408889634f); }
// A divisor near 0, whose reciprocal would overflow, is scaled first.
DEV float divide_16(float a, float b) {
  const float scale = fabsf(b) < 0x1p-100f ? 0x1p100f : 1.0f;
  return a * scale * rcp_approx(b * scale);
}
// The reciprocal is below 2^-126 only where x < -87: there it is a denormal.
DEV float sigmoid_16(float x) { return rcp_approx(1.0f + exp_16(-x)); }

struct Exp16 {
  static DEV float of(float x) { return exp_16(x); }
};
