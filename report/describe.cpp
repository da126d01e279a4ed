#include "report/describe.h"

#include <ATen/core/Tensor.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

namespace torchweld::report {
namespace {

using c10::ScalarType;

constexpr std::array kNames{std::pair{ScalarType::Double, "f64"}, std::pair{ScalarType::Float, "f32"},
                            std::pair{ScalarType::Half, "f16"},   std::pair{ScalarType::BFloat16, "bf16"},
                            std::pair{ScalarType::Long, "i64"},   std::pair{ScalarType::Int, "i32"},
                            std::pair{ScalarType::Short, "i16"},  std::pair{ScalarType::Char, "i8"},
                            std::pair{ScalarType::Byte, "u8"},    std::pair{ScalarType::Bool, "bool"}};

std::string describe_tensor(const at::Tensor& tensor) {
  if (!tensor.defined()) return "undefined tensor";
  std::string name = c10::toString(tensor.scalar_type());
  for (const auto& [dtype, short_name] : kNames)
    if (dtype == tensor.scalar_type()) name = short_name;
  return fmt::format("{}[{}]", name, fmt::join(tensor.sizes(), ","));
}

template <class Values>
std::string describe_all(const Values& values) {
  std::vector<std::string> parts;
  for (const c10::IValue& value : values) parts.push_back(describe(value));
  return fmt::format("({})", fmt::join(parts, ", "));
}

}  // namespace

std::string describe(const c10::IValue& value) {
  if (value.isTensor()) return describe_tensor(value.toTensor());
  if (value.isInt()) return fmt::format("{}", value.toInt());
  if (value.isDouble()) return fmt::format("{}", value.toDouble());
  if (value.isBool()) return value.toBool() ? "true" : "false";
  if (value.isNone()) return "None";
  if (value.isTuple()) return describe_all(value.toTupleRef().elements());
  if (value.isList()) return describe_all(value.toListRef());
  return value.tagKind();
}

std::string describe_inputs(c10::ArrayRef<c10::IValue> inputs) {
  std::vector<std::string> parts;
  for (const c10::IValue& input : inputs) parts.push_back(describe(input));
  return fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace torchweld::report
