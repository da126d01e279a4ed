#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "codegen/compile_host.h"
#include "codegen/embedded.h"
#include "codegen/kernel.h"
#include "codegen/nvrtc.h"
#include "emulation/emulation.h"
#include "graph/functions.h"

namespace torchweld {
namespace {

using Types = std::vector<std::string_view>;
const Types kFloats{"float", "double"};
const Types kNumbers{"float", "double", "i64", "i32", "i16", "i8", "u8"};
const Types kAll{"float", "double", "i64", "i32", "i16", "i8", "u8", "bool"};
const Types kIntegers{"i64", "i32", "i16", "i8", "u8", "bool"};

/// The compute dtypes that a function is for, by its place in the list.
const Types& types_of(std::string_view function) {
  const auto place = [](std::string_view name) {
    for (std::size_t i = 0; i < graph::kFunctions.size(); ++i)
      if (graph::kFunctions[i].name == name) return i;
    throw std::logic_error("no such function");
  };
  if (function == "tw_bit_not" || function.starts_with("tw_shift")) return kIntegers;
  if (place(function) >= place("tw_select")) return kAll;
  return place(function) >= place("tw_floor") ? kNumbers : kFloats;
}

/// A device function that calls every function for every dtype.
std::string calls_of_all_functions() {
  std::string text = "DEV double call_all(double a, double b, double c) {\n  double total = 0;\n";
  for (const graph::Function& function : graph::kFunctions)
    for (const std::string_view type : types_of(function.name)) {
      std::string arguments;
      for (int i = 0; i < function.arity; ++i)
        arguments += fmt::format("{}{}({})", i ? ", " : "", type, std::string_view("abc").substr(std::size_t(i), 1));
      text += fmt::format("  total += double({}({}));\n", function.name, arguments);
    }
  return text + "  return total;\n}\n";
}

const std::string kKernel = R"(
extern "C" __global__ void all_functions(double* __restrict__ out, double a) { out[0] = call_all(a, a, a); }
)";

TEST(Functions, ExistOnTheHost) {
  const std::string text = std::string(codegen::prelude(codegen::Backend::host)) + calls_of_all_functions() +
                           "extern \"C\" double all_functions(double a) { return call_all(a, a, a); }\n";
  EXPECT_NO_THROW((void)testing::compile_host(text));
}

TEST(Functions, ExistUnderEmulation) {
  if (const std::string reason = emulation::why_unavailable(); !reason.empty()) GTEST_SKIP() << reason;
  const auto prelude =
      emulation::prelude_without_target(codegen::prelude(codegen::Backend::cuda), codegen::embedded_file("target.cuh"));
  const emulation::Source source{"functions.cu", calls_of_all_functions() + kKernel};
  EXPECT_NO_THROW((void)emulation::compile(prelude, {&source, 1}));
}

TEST(Functions, ExistOnTheDevice) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << "no NVRTC library";
  const std::string prelude(codegen::prelude(codegen::Backend::cuda));
  EXPECT_EQ(testing::nvrtc_errors(prelude + calls_of_all_functions() + kKernel), "");
}

// Each line must hold in the preludes of both backends.
const std::string kClaims = R"(
  const float inf = float_infinity(), nan = float_nan();
  CHECK(tw_isnan(tw_max(nan, 1.0f)) && tw_isnan(tw_max(1.0f, nan)) && tw_isnan(tw_min(nan, 1.0f)));
  CHECK(tw_isnan(tw_max(double_nan(), 1.0)) && tw_isnan(tw_min(1.0, double_nan())));
  CHECK(tw_max(-inf, inf) == inf && tw_min(-inf, inf) == -inf);
  CHECK(tw_sign(nan) == 0.0f && tw_sign(-2.5f) == -1.0f && tw_sign(u8(3)) == 1);
  CHECK(tw_round(2.5f) == 2.0f && tw_round(-0.5f) == 0.0f && tw_round(3.5) == 4.0);
  CHECK(tw_remainder(-7.0f, 3.0f) == 2.0f && tw_remainder(7.0f, -3.0f) == -2.0f && tw_fmod(-7.0f, 3.0f) == -1.0f);
  CHECK(tw_remainder(-7, 3) == 2 && tw_remainder(7, -3) == -2 && tw_fmod(-7, 3) == -1);
  CHECK(tw_floor_div(-7, 2) == -4 && tw_trunc_div(-7, 2) == -3 && tw_floor_div(u8(200), u8(7)) == 28);
  CHECK(tw_floor_div(-7.0f, 2.0f) == -4.0f && tw_floor_div(7.0f, 0.0f) == inf && tw_floor_div(-1.0f, inf) == -1.0f);
  CHECK(tw_floor_div(5, 0) == 0 && tw_trunc_div(5, 0) == 0 && tw_remainder(5, 0) == 0 && tw_fmod(i64(5), i64(0)) == 0);
  CHECK(tw_fmod(u8(200), u8(255)) == 200 && tw_trunc_div(u8(255), u8(255)) == 1);
  const i32 least = i32(1u << 31);
  CHECK(tw_trunc_div(least, -1) == least && tw_fmod(least, -1) == 0 && tw_abs(least) == least);
  CHECK(i32(wrap(least) - wrap(i32(1))) == 2147483647 && i32(-wrap(least)) == least);
  CHECK(i8(wrap(i8(100)) + wrap(i8(100))) == -56 && u8(wrap(u8(3)) - wrap(u8(5))) == 254);
  CHECK(i64(wrap(i64(1) << 62) * wrap(i64(4))) == 0);
  CHECK(tw_pow(3, 4) == 81 && tw_pow(2, -1) == 0 && tw_pow(-1, -3) == -1 && tw_pow(1, -5) == 1);
  CHECK(tw_pow(i64(3), i64(41)) == i64(18026252303461234787ull));
  CHECK(tw_isinf(inf) && tw_isinf(-double_infinity()) && !tw_isinf(nan) && !tw_isinf(7));
  CHECK(tw_copysign(3.0f, -0.0f) == -3.0f && tw_copysign(-2.0, 1.0) == 2.0 && tw_hypot(3.0f, 4.0f) == 5.0f);
  CHECK(tw_exp2(10.0f) == 1024.0f && tw_exp2(-inf) == 0.0f && tw_lgamma(1.0f) == 0.0f && tw_lgamma(-2.0f) == inf);
  CHECK(tw_asinh(0.0f) == 0.0f && tw_acosh(1.0f) == 0.0f && tw_atanh(1.0f) == inf && tw_isnan(tw_atanh(2.0)));
  CHECK(tw_shift_left(3, 4) == 48 && tw_shift_left(3, 32) == 0 && tw_shift_left(3, -1) == 0);
  CHECK(tw_shift_left(i8(127), i8(1)) == -2 && tw_shift_left(u8(255), u8(7)) == 128 && tw_shift_left(i64(1), i64(62)) > 0);
  CHECK(tw_shift_right(-16, 2) == -4 && tw_shift_right(-16, 99) == -1 && tw_shift_right(16, -1) == 0);
  CHECK(tw_shift_right(u8(200), u8(3)) == 25 && tw_shift_right(u8(200), u8(8)) == 0);
  CHECK(tw_select(true, 1.0f, nan) == 1.0f && tw_select(0, 1, 2) == 2 && tw_select(nan, 1, 2) == 1);
  CHECK(tw_and(2, 1) && !tw_xor(2, 1) && tw_bit_not(true) == false && tw_bit_not(i8(0)) == -1 && tw_not(0.0f));
  CHECK(to_register(from_register<bf16>(1.00390625f)) == 1.0f && to_register(from_register<bf16>(3.4e38f)) == inf);
  CHECK(to_register(from_register<f16>(65519.0f)) == 65504.0f && to_register(from_register<f16>(65520.0f)) == inf);
  CHECK(to_register(from_register<f16>(5.9604645e-8f)) == 5.9604645e-8f && to_register(from_register<f16>(-inf)) == -inf);
  CHECK(tw_isnan(to_register(from_register<f16>(nan))) && tw_isnan(to_register(from_register<bf16>(nan))));
  CHECK(to_register(f16{1}) == 5.9604645e-8f && to_register(f16{0x7c00}) == inf && tw_isnan(to_register(f16{0x7e00})));
  Max<float> max;
  max.push(nan);
  max.push(3.0f);
  CHECK(tw_isnan(max.value()) && Max<float>().value() == -inf && Min<i8>().value() == 127 && Max<u8>().value() == 0);
  CHECK(Max<i64>().value() == -9223372036854775807ll - 1 && Min<u8>().value() == 255);
  ArgMax<float> best;
  best.push(2.0f, 4);
  best.push(2.0f, 3);
  best.push(1.0f, 0);
  CHECK(best.value() == 3);
  best.push(nan, 9);
  best.push(nan, 7);
  best.push(inf, 1);
  CHECK(best.value() == 7);
  ArgMin<i32> least_at;
  least_at.merge(ArgMin<i32>());
  least_at.push(-5, 2);
  CHECK(least_at.value() == 2);
)";

// And these in the CUDA prelude alone.
const std::string kCudaClaims = R"(
  CHECK(divide_16(1e-39f, 2e-39f) > 0.49f && divide_16(1e-39f, 2e-39f) < 0.51f && divide_16(1.0f, 0.0f) == inf);
  CHECK(tw_isnan(divide_16(0.0f, 0.0f)) && divide_16(1.0f, inf) == 0.0f && tw_isnan(divide_16(inf, inf)));
  CHECK(divide_16(3e38f, 1e-30f) == inf && divide_16(-3.0f, 1.5f) == -2.0f);
  CHECK(exp_16(-inf) == 0.0f && exp_16(inf) == inf && tw_isnan(exp_16(nan)) && exp_16(0.0f) == 1.0f);
  CHECK(sigmoid_16(-inf) == 0.0f && sigmoid_16(inf) == 1.0f && tw_isnan(sigmoid_16(nan)) && sigmoid_16(0.0f) == 0.5f);
  MaxSumExp<ExactExp> row, hidden;
  hidden.push(-inf);
  const float pair[2] = {-inf, 1.0f};
  row.push(pair);
  row.merge(hidden);
  hidden.merge(row);
  CHECK(row.max() == 1.0f && row.sum() == 1.0f && hidden.max() == 1.0f && hidden.sum() == 1.0f);
  row.push(3e38f);
  CHECK(row.max() == 3e38f && row.sum() == 1.0f);
  MaxSumExp<Exp16> all_hidden;
  all_hidden.push(-inf);
  CHECK(all_hidden.max() == -inf && tw_isnan(all_hidden.sum()));
  row.push(nan);
  CHECK(tw_isnan(row.max()) && tw_isnan(row.sum()));
  const Divisor by_seven{613566757u, 3, 7};
  CHECK(quotient(48u, by_seven) == 6 && quotient(49u, by_seven) == 7 && quotient(2147483647u, by_seven) == 306783378u);
)";

constexpr const char* kCheck = "#define CHECK(claim) if (failed == 0 && !(claim)) failed = __LINE__\n";

std::string claim_at(const std::string& text, int line) {
  std::size_t at = 0;
  for (int i = 1; i < line; ++i) at = text.find('\n', at) + 1;
  return text.substr(at, text.find('\n', at) - at);
}

TEST(Functions, ComputeAsEagerDoesOnTheHost) {
  const std::string text = std::string(codegen::prelude(codegen::Backend::host)) + kCheck +
                           "extern \"C\" int first_failure() {\n  int failed = 0;" + kClaims + "  return failed;\n}\n";
  const auto first_failure = reinterpret_cast<int (*)()>(dlsym(testing::compile_host(text), "first_failure"));
  const int line = first_failure();
  EXPECT_EQ(line, 0) << claim_at(text, line);
}

TEST(Functions, ComputeAsEagerDoesOnTheDevice) {
  if (const std::string reason = emulation::why_unavailable(); !reason.empty()) GTEST_SKIP() << reason;
  const auto prelude =
      emulation::prelude_without_target(codegen::prelude(codegen::Backend::cuda), codegen::embedded_file("target.cuh"));
  const emulation::Source source{"claims.cu",
                                 std::string(kCheck) +
                                     "extern \"C\" __global__ void claims(int* __restrict__ out) {\n  int failed = 0;" +
                                     kClaims + kCudaClaims + "  out[0] = failed;\n}\n"};
  const auto kernels = emulation::compile(prelude, {&source, 1});
  emulation::Buffer out = emulation::output_of<int>(1);
  const emulation::Argument arguments[] = {emulation::pointer_to(out)};
  ASSERT_EQ(emulation::run(kernels.front(), {}, arguments, {0, 1}), "");
  const int line = out.as<int>().front();
  EXPECT_EQ(line, 0) << claim_at(source.text, line);
}

TEST(Divisor, IsExactBelowTwoToThe31) {
  for (const std::uint32_t divisor : {1u, 2u, 3u, 7u, 10u, 641u, 65535u, 65536u, 65537u, 1u << 30, (1u << 31) - 1}) {
    const codegen::DivisorBytes bytes = codegen::divisor_bytes(divisor);
    for (std::uint64_t n = 0; n < (std::uint64_t{1} << 31); n += 1 + n / 3)
      for (const std::uint64_t near : {n, n / divisor * divisor, n / divisor * divisor + divisor - 1}) {
        if (near >= std::uint64_t{1} << 31) continue;
        const std::uint64_t high = near * bytes.multiplier >> 32;
        ASSERT_EQ((high + near) >> bytes.shift, near / divisor) << near << " / " << divisor;
      }
  }
}

}  // namespace
}  // namespace torchweld
