#include "codegen/typed_bytes.h"

#include <cmath>
#include <cstring>

namespace torchweld::testing {
namespace {

using graph::DType;

/// A 16-bit float with `mantissa` bits after the point and the largest exponent `bias`.
struct Half {
  int mantissa, bias;
};
constexpr Half kBf16{7, 127}, kF16{10, 15};

std::uint16_t half_from_double(Half format, double x) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000 : 0);
  const int exponent_ones = (0x7fff >> format.mantissa) << format.mantissa;
  if (std::isnan(x)) return static_cast<std::uint16_t>(exponent_ones | 1 << (format.mantissa - 1));
  if (x == 0) return sign;
  const double magnitude = std::fabs(x);
  const int exponent = std::isinf(x) ? format.bias + 1 : std::max(std::ilogb(magnitude), 1 - format.bias);
  if (exponent > format.bias) return static_cast<std::uint16_t>(sign | exponent_ones);
  const auto steps = static_cast<int>(std::nearbyint(std::ldexp(magnitude, format.mantissa - exponent)));
  // Steps of a normal number begin at 1 << mantissa, which is one exponent.
  const int bits = ((exponent + format.bias - 1) << format.mantissa) + steps;
  return static_cast<std::uint16_t>(sign | std::min(bits, exponent_ones));
}

double double_from_half(Half format, std::uint16_t bits) {
  const int exponent = (bits & 0x7fff) >> format.mantissa, steps = bits & ((1 << format.mantissa) - 1);
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 2 * format.bias + 1) return steps ? std::nan("") : sign * INFINITY;
  const int whole = exponent == 0 ? steps : steps + (1 << format.mantissa);
  return sign * std::ldexp(whole, std::max(exponent, 1) - format.bias - format.mantissa);
}

/// Calls `visit` with a value of the C++ type that holds a dtype in memory.
template <class Visit>
auto with_type(DType dtype, Visit visit) {
  switch (dtype) {
  case DType::f64:
    return visit(double{});
  case DType::f32:
    return visit(float{});
  case DType::i64:
    return visit(std::int64_t{});
  case DType::i32:
    return visit(std::int32_t{});
  case DType::i16:
    return visit(std::int16_t{});
  case DType::i8:
    return visit(std::int8_t{});
  case DType::b8:
    return visit(bool{});
  case DType::u8:
    return visit(std::uint8_t{});
  default:
    return visit(std::uint16_t{});
  }
}

}  // namespace

std::vector<std::byte> bytes_from_numbers(DType dtype, const std::vector<double>& numbers) {
  return with_type(dtype, [&](auto zero) {
    std::vector<std::byte> bytes(numbers.size() * sizeof zero);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      auto element = static_cast<decltype(zero)>(numbers[i]);
      if constexpr (std::is_same_v<decltype(zero), std::uint16_t>)
        element = half_from_double(dtype == DType::bf16 ? kBf16 : kF16, numbers[i]);
      std::memcpy(bytes.data() + i * sizeof zero, &element, sizeof zero);
    }
    return bytes;
  });
}

std::vector<double> numbers_from_bytes(DType dtype, const std::vector<std::byte>& bytes) {
  return with_type(dtype, [&](auto zero) {
    std::vector<double> numbers(bytes.size() / sizeof zero);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      auto element = zero;
      std::memcpy(&element, bytes.data() + i * sizeof zero, sizeof zero);
      numbers[i] = static_cast<double>(element);
      if constexpr (std::is_same_v<decltype(zero), std::uint16_t>)
        numbers[i] = double_from_half(dtype == DType::bf16 ? kBf16 : kF16, element);
    }
    return numbers;
  });
}

double epsilon_of(DType dtype) {
  switch (dtype) {
  case DType::f64:
    return std::ldexp(1, -52);
  case DType::f32:
    return std::ldexp(1, -23);
  case DType::f16:
    return std::ldexp(1, -10);
  case DType::bf16:
    return std::ldexp(1, -7);
  default:
    return 0;
  }
}

}  // namespace torchweld::testing
