// host_math.h: functions of float that a compiler can vectorise, where libm's are calls. No branches and no tables;
// errors are measured by the tests in ulps of a float.

DEV float multiply_add(float a, float b, float c) {
#ifdef __FMA__
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}
DEV float select_float(bool condition, float a, float b) { return condition ? a : b; }

// exp(x) = 2^n exp(r), |r| <= ln(2) / 2; ln(2) in two parts, the first with zeros at its end, so that n times it is
// exact. 2^n is multiplied in two steps, since n reaches from -150 to 128. Polynomials here are minimax fits.
DEV float float_exp(float x) {
  const float bounded = select_float(x > 89.0f, 89.0f, select_float(x < -104.0f, -104.0f, x));
  const float shifted = bounded * 1.44269504f + 12582912.0f;  // 1.5 * 2^23: n in the last bits
  const float n = shifted - 12582912.0f;
  const float r = multiply_add(n, -3.19461833e-5f, multiply_add(n, -0.693115234375f, bounded));
  float p = multiply_add(r, 0.00138130894f, 0.00836940856f);
  p = multiply_add(p, r, 0.0416684568f);
  p = multiply_add(p, r, 0.166665149f);
  p = multiply_add(p, r, 0.499999931f);
  p = multiply_add(p, r * r, r) + 1.0f;
  const int whole = i32(bits_of(shifted)) - i32(0x4b400000), half = whole >> 1;
  const float result =
      p * float_of_bits(unsigned(half + 127) << 23) * float_of_bits(unsigned(whole - half + 127) << 23);
  return select_float(x != x, x, result);
}

DEV float float_sigmoid(float x) { return 1.0f / (1.0f + float_exp(-x)); }

DEV float float_tanh(float x) {
  const float magnitude = fabsf(x), s = x * x;
  float p = multiply_add(s, -0.00551512783f, 0.0204693916f);
  p = multiply_add(p, s, -0.0536880159f);
  p = multiply_add(p, s, 0.133308303f);
  p = multiply_add(p, s, -0.333332598f);
  const float small = multiply_add(p * s, x, x);
  const float large = 1.0f - 2.0f / (float_exp(2.0f * magnitude) + 1.0f);
  return select_float(magnitude < 0.65f, small, copysignf(select_float(x != x, x, large), x));
}

// Below 1 a polynomial; above, 1 - exp(q), where q is one for log(erfc).
DEV float float_erf(float x) {
  const float magnitude = fabsf(x), s = x * x;
  float p = multiply_add(s, 7.85400168e-5f, -0.000801024001f);
  p = multiply_add(p, s, 0.00518833359f);
  p = multiply_add(p, s, -0.0268538155f);
  p = multiply_add(p, s, 0.112835853f);
  p = multiply_add(p, s, -0.376126258f);
  p = multiply_add(p, s, 0.128379166f);
  const float small = multiply_add(p, x, x);
  const float u = select_float(magnitude > 4.0f, 4.0f, magnitude) - 2.5f;
  float q = multiply_add(u, 0.000186384801f, -0.000151943533f);
  q = multiply_add(q, u, 0.00246543327f);
  q = multiply_add(q, u, -0.0107112202f);
  q = multiply_add(q, u, -0.94388313f);
  q = multiply_add(q, u, -5.35269396f);
  q = multiply_add(q, u, -7.80681789f);
  const float large = 1.0f - float_exp(q);
  return select_float(magnitude < 1.0f, small, copysignf(select_float(x != x, x, large), x));
}
