#include "cli/input_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "torchweld/error.h"

namespace torchweld::cli {
namespace {

using graph::DType;

constexpr std::string_view kDTypes = "f64 f32 f16 bf16 i64 i32 i16 i8 u8 bool";
constexpr std::string_view kForms = "a tensor such as f32[1,512] or i64[2,77]:0..30521, a number, true or false";

[[noreturn]] void refuse(std::string_view text, const std::string& what) {
  throw Error(fmt::format("--input '{}': {}", text, what));
}

template <class Number>
std::optional<Number> number_from(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

/// Splits at the first `separator`; the second part is empty when there is none.
std::pair<std::string_view, std::optional<std::string_view>> split(std::string_view text, std::string_view separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return {text, std::nullopt};
  return {text.substr(0, at), text.substr(at + separator.size())};
}

graph::Dims sizes_from(std::string_view text, std::string_view list) {
  graph::Dims sizes;
  std::optional<std::string_view> rest = list;
  if (list.empty()) return sizes;  // f32[] is a 0-dim tensor
  while (rest) {
    const auto [item, after] = split(*rest, ",");
    const auto size = number_from<std::int64_t>(item);
    if (!size || *size < 0)
      refuse(text, fmt::format("size {} is '{}', expected a whole number of 0 or more", sizes.size(), item));
    sizes.push_back(*size);
    rest = after;
  }
  return sizes;
}

/// The values that an integer dtype holds.
std::pair<std::int64_t, std::int64_t> limits_of(DType dtype) {
  switch (dtype) {
  case DType::i32:
    return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
  case DType::i16:
    return {std::numeric_limits<std::int16_t>::min(), std::numeric_limits<std::int16_t>::max()};
  case DType::i8:
    return {std::numeric_limits<std::int8_t>::min(), std::numeric_limits<std::int8_t>::max()};
  case DType::u8:
    return {0, std::numeric_limits<std::uint8_t>::max()};
  case DType::b8:
    return {0, 1};
  default:
    return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  }
}

void set_range(std::string_view text, std::string_view range, TensorSpec& spec) {
  const std::string_view name = graph::name_of(spec.dtype);
  if (!graph::is_integral(spec.dtype))
    refuse(text, fmt::format("range '{}' on {}, expected none: floats are normal random values", range, name));
  const auto [first, last] = split(range, "..");
  const auto low = number_from<std::int64_t>(first);
  const auto high = number_from<std::int64_t>(last.value_or(""));
  if (!low || !high) refuse(text, fmt::format("range is '{}', expected low..high, such as 0..30521", range));
  if (*low > *high) refuse(text, fmt::format("range is '{}', expected its low end first", range));
  const auto [least, most] = limits_of(spec.dtype);
  if (*low < least || *high > most)
    refuse(text, fmt::format("range is '{}', expected values of {}: {}..{}", range, name, least, most));
  spec.low = *low;
  spec.high = *high;
}

TensorSpec tensor_from(std::string_view text) {
  TensorSpec spec;
  const auto [name, after_name] = split(text, "[");
  const auto [list, after_list] = split(*after_name, "]");
  const auto dtype = graph::dtype_from_name(name);
  if (!dtype) refuse(text, fmt::format("dtype is '{}', expected one of {}", name, kDTypes));
  if (!after_list) refuse(text, fmt::format("no ']' after the sizes, expected {}[1,512]", name));
  spec.dtype = *dtype;
  spec.sizes = sizes_from(text, list);
  if (after_list->empty()) return spec;
  if (after_list->front() != ':')
    refuse(text, fmt::format("'{}' after the sizes, expected nothing or a range such as :0..9", *after_list));
  set_range(text, after_list->substr(1), spec);
  return spec;
}

}  // namespace

InputSpec parse_input(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  if (text.find('[') != std::string_view::npos) return tensor_from(text);
  if (const auto whole = number_from<std::int64_t>(text)) return *whole;
  if (const auto real = number_from<double>(text)) return *real;
  refuse(text, fmt::format("expected {}", kForms));
}

std::string to_text(const InputSpec& spec) {
  if (const auto* flag = std::get_if<bool>(&spec)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&spec)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&spec)) return fmt::format("{}", *real);
  const auto& tensor = std::get<TensorSpec>(spec);
  std::string text = fmt::format("{}[{}]", graph::name_of(tensor.dtype), fmt::join(tensor.sizes, ","));
  if (tensor.low != 0 || tensor.high != 1) text += fmt::format(":{}..{}", tensor.low, tensor.high);
  return text;
}

}  // namespace torchweld::cli
