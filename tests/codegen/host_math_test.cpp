#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "codegen/compile_host.h"
#include "codegen/kernel.h"

namespace torchweld {
namespace {

using Function = float (*)(float);

template <class F = Function>
F function(const char* name) {
  static void* const library = testing::compile_host(std::string(codegen::prelude(codegen::Backend::host)) + R"(
    extern "C" float exp_here(float x) { return tw_exp(x); }
    extern "C" float tanh_here(float x) { return tw_tanh(x); }
    extern "C" float erf_here(float x) { return tw_erf(x); }
    extern "C" unsigned short f16_here(float x) { return from_register<f16>(x).bits; }
    extern "C" float float_here(unsigned short x) { return to_register(f16{x}); }
  )");
  return reinterpret_cast<F>(dlsym(library, name));
}

/// The largest error in ulps over floats of every magnitude, infinities included; NaN must stay.
double largest_error(Function found, double (*exact)(double)) {
  double largest = 0;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 9973) {
    const auto pattern = static_cast<std::uint32_t>(bits);
    float x;
    std::memcpy(&x, &pattern, sizeof x);
    const float y = found(x);
    const double wanted = exact(x);
    const auto nearest = static_cast<float>(wanted);
    if (y == nearest || (std::isnan(y) && std::isnan(nearest))) continue;
    if (!std::isfinite(y) || !std::isfinite(nearest)) return INFINITY;
    const double ulp = std::nextafterf(std::fabs(nearest), INFINITY) - std::fabs(nearest);
    largest = std::max(largest, std::fabs(y - wanted) / ulp);
  }
  return largest;
}

TEST(HostMath, FunctionsThatVectoriseAreAsExactAsLibm) {
  EXPECT_LT(largest_error(function("exp_here"), std::exp), 1.0);
  EXPECT_LT(largest_error(function("tanh_here"), std::tanh), 2.0);
  EXPECT_LT(largest_error(function("erf_here"), std::erf), 2.0);
}

TEST(HostMath, EveryHalfGoesToFloatAndBack) {
  const auto to_half = function<std::uint16_t (*)(float)>("f16_here");
  const auto to_float = function<float (*)(std::uint16_t)>("float_here");
  for (int bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const bool is_nan = (bits & 0x7fff) > 0x7c00;
    EXPECT_EQ(std::isnan(to_float(half)), is_nan) << bits;
    if (!is_nan) {
      EXPECT_EQ(to_half(to_float(half)), half) << bits;
    }
  }
}

}  // namespace
}  // namespace torchweld
