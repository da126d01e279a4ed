#include <algorithm>

#include "graph/builder.h"
#include "graph/layout.h"
#include "graph/ops/composites.h"
#include "graph/ops/rows.h"
#include "graph/pointwise.h"
#include "graph/promotion.h"

/// Pointwise ops whose operands choose between expressions.
namespace torchweld::graph {
namespace {

// ---- gelu(x, approximate)

std::string_view gelu_op(const Arguments& arguments) {
  const std::string_view approximate = arguments.text(1);
  if (approximate == "none") return "torchweld::gelu_erf";
  if (approximate == "tanh") return "torchweld::gelu_tanh";
  arguments.eager_refuses("approximate is neither none nor tanh");
}

std::vector<TensorType> infer_gelu(const Arguments& arguments) {
  return {infer_pointwise(arguments.applied(*find_op(gelu_op(arguments)), 1))};
}

std::vector<Value> decompose_gelu(Builder& b, const Arguments& arguments) {
  return {b.pointwise(gelu_op(arguments), {arguments.operand(0)})};
}

// ---- square(x): pow(x, 2), of which bool gives i64

std::vector<TensorType> infer_square(const Arguments& arguments) {
  const TensorType* x = &arguments.tensor(0);
  return {pointwise_result(arguments, x->dtype == DType::b8 ? DType::i64 : x->dtype, {&x, 1}, false)};
}

std::vector<Value> decompose_square(Builder& b, const Arguments& arguments) {
  const Value x = b.cast(arguments.value(0), arguments.result().dtype);
  return {b.mul(x, x)};
}

// ---- pow.Tensor_Scalar(x, exponent)

std::vector<TensorType> infer_power(const Arguments& arguments) {
  const TensorType* x = &arguments.tensor(0);
  ResultDType dtype(arguments.default_dtype());
  dtype.add(*x);
  const std::optional<DType> exponent = arguments.number_dtype(arguments.operand(1));
  if (!exponent) arguments.refuse("op_form", "operand 1 is not a number");
  dtype.add_number(*exponent);
  if (*dtype.get() == DType::b8) arguments.refuse("op_form", "a power of bool");
  if (is_integral(*dtype.get()) && arguments.number(1) < 0) arguments.eager_refuses("an integer to a negative power");
  return {pointwise_result(arguments, *dtype.get(), {&x, 1}, false)};
}

bool is_exponent(const Arguments& arguments, double number) {
  return arguments.number_dtype(arguments.operand(1)) && !arguments.operand(1).value() && arguments.number(1) == number;
}

/// ATen has these exponents in their own forms, whose signed zeros and infinities differ from pow's; not for f16 on
/// the host.
std::vector<Value> decompose_power(Builder& b, const Arguments& arguments) {
  const Value x = b.cast(arguments.value(0), arguments.result().dtype);
  if (is_exponent(arguments, 2)) return {b.mul(x, x)};
  const bool is_half_on_host = b.dtype(x) == DType::f16 && b.tensor(x).device == Device::host;
  if (is_floating(b.dtype(x)) && !is_half_on_host) {
    if (is_exponent(arguments, 0.5)) return {b.pointwise("aten::sqrt", {x})};
    if (is_exponent(arguments, -0.5)) return {b.pointwise("aten::rsqrt", {x})};
    if (is_exponent(arguments, -1)) return {b.pointwise("aten::reciprocal", {x})};
  }
  return {b.pointwise("aten::pow.Tensor_Tensor", {x, arguments.operand(1)})};
}

// ---- pow.Scalar(base, x), row-major in eager

std::vector<TensorType> infer_power_of_number(const Arguments& arguments) {
  TensorType result = infer_pointwise(arguments.applied(*find_op("aten::pow.Tensor_Tensor"), 2));
  result.strides = contiguous_strides(result.sizes);
  return {result};
}

std::vector<Value> decompose_power_of_number(Builder& b, const Arguments& arguments) {
  return {b.pointwise("aten::pow.Tensor_Tensor", {arguments.operand(0), arguments.operand(1)})};
}

// ---- rsub.Tensor(x, y, alpha): sub(y, x, alpha), whose first operand decides the layout

std::vector<Operand> swapped_operands(const Arguments& arguments) {
  return {arguments.operand(1), arguments.operand(0), arguments.operand(2)};
}

std::vector<TensorType> infer_reversed_sub(const Arguments& arguments) {
  const std::vector<Operand> swapped = swapped_operands(arguments);
  return {infer_pointwise(arguments.applied(*find_op("aten::sub.Tensor"), swapped))};
}

std::vector<Value> decompose_reversed_sub(Builder& b, const Arguments& arguments) {
  return {b.pointwise("aten::sub.Tensor", swapped_operands(arguments))};
}

// ---- div(x, y, rounding_mode), floor_divide(x, y), fmod(x, y), remainder(x, y)

std::string_view division_op(const Arguments& arguments) {
  if (arguments.op().name.starts_with("aten::fmod")) return "torchweld::fmod";
  if (arguments.op().name.starts_with("aten::remainder")) return "torchweld::remainder";
  if (arguments.size() == 2) return "torchweld::floor_div";  // floor_divide
  if (arguments.is_none(2)) return "aten::div.Tensor";
  if (arguments.text(2) == "floor") return "torchweld::floor_div";
  if (arguments.text(2) == "trunc") return "torchweld::trunc_div";
  arguments.eager_refuses("rounding_mode is neither None, floor nor trunc");
}

/// True for a literal that is not 0 as a value of `dtype` either (256 is as a u8).
bool is_divisor(const Operand& operand, DType dtype) {
  if (operand == Operand(true)) return true;
  const auto* divisor = std::get_if<std::int64_t>(&operand.held);
  return divisor != nullptr && (static_cast<std::uint64_t>(*divisor) << (64 - 8 * size_of(dtype))) != 0;
}

/// On the host eager raises for an integer divisor of 0, which a kernel cannot tell.
std::vector<TensorType> infer_division(const Arguments& arguments) {
  TensorType result = infer_pointwise(arguments.applied(*find_op(division_op(arguments)), 2));
  if (is_integral(result.dtype) && result.device == Device::host && !is_divisor(arguments.operand(1), result.dtype))
    arguments.refuse("op_form", "a division that may raise");
  return {result};
}

/// Eager rounds a 16-bit quotient before it cuts off its fraction.
Value truncated_quotient(Builder& b, const Arguments& arguments) {
  const auto in_compute = [&](std::size_t i) {
    return arguments.is_tensor(i) ? Operand(b.cast(arguments.value(i), DType::f32)) : arguments.operand(i);
  };
  const Operand dividend = in_compute(0);
  const Value quotient = b.div(dividend, in_compute(1));
  return b.pointwise("aten::trunc", {b.cast(quotient, arguments.result().dtype)});
}

std::vector<Value> decompose_division(Builder& b, const Arguments& arguments) {
  const bool is_sixteen_bit = arguments.result().dtype != compute_dtype(arguments.result().dtype);
  if (is_sixteen_bit && division_op(arguments) == "torchweld::trunc_div") return {truncated_quotient(b, arguments)};
  return {b.pointwise(division_op(arguments), {arguments.operand(0), arguments.operand(1)})};
}

// ---- clamp(x, min, max) and its one-sided forms; bounds are numbers or tensors, or None

template <std::size_t operands>
std::vector<TensorType> infer_clamp(const Arguments& arguments) {
  if (arguments.size() != operands) arguments.refuse("op_form", "expected " + std::to_string(operands) + " operands");
  ResultDType dtype(arguments.default_dtype());
  std::vector<const TensorType*> tensors;
  bool bounded = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments.is_none(i)) continue;
    bounded |= i > 0;
    if (const TensorType* type = arguments.tensor_type(arguments.operand(i))) {
      tensors.push_back(type);
      dtype.add(*type);
    } else if (const std::optional<DType> number = arguments.number_dtype(arguments.operand(i))) {
      dtype.add_number(*number);
    }
  }
  if (!bounded) arguments.eager_refuses("neither bound is given");
  if (*dtype.get() == DType::b8 && tensors.size() != 2) arguments.eager_refuses("dtype bool");
  return {pointwise_result(arguments, *dtype.get(), tensors, false)};
}

std::vector<Value> decompose_bounds(Builder& b, const Arguments& arguments, std::optional<std::size_t> low,
                                    std::optional<std::size_t> high) {
  Value x = b.cast(arguments.value(0), arguments.result().dtype);
  if (low && !arguments.is_none(*low)) x = b.pointwise("aten::maximum", {x, arguments.operand(*low)});
  if (high && !arguments.is_none(*high)) x = b.pointwise("aten::minimum", {x, arguments.operand(*high)});
  return {x};
}

std::vector<Value> decompose_clamp(Builder& b, const Arguments& arguments) {
  return decompose_bounds(b, arguments, 1, 2);
}
std::vector<Value> decompose_clamp_min(Builder& b, const Arguments& arguments) {
  return decompose_bounds(b, arguments, 1, std::nullopt);
}
std::vector<Value> decompose_clamp_max(Builder& b, const Arguments& arguments) {
  return decompose_bounds(b, arguments, std::nullopt, 1);
}

// ---- masked_fill(x, mask, value)

std::vector<TensorType> infer_masked_fill(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  if (arguments.tensor(1).dtype != DType::b8) arguments.eager_refuses("the mask is not bool");
  const TensorType* value = arguments.tensor_type(arguments.operand(2));
  const std::optional<DType> number = arguments.number_dtype(arguments.operand(2));
  if (!value && !number) arguments.refuse("op_form", "operand 2 is neither a tensor nor a number");
  if (value && value->rank() > 0) arguments.eager_refuses("the value has dims");
  if (category_of(value ? value->dtype : *number) > category_of(x.dtype))
    arguments.refuse("op_form", "the value is of a higher category");
  const std::vector<const TensorType*> tensors{&x, &arguments.tensor(1)};
  TensorType result = pointwise_result(arguments, x.dtype, tensors, false);
  result.strides = contiguous_strides(result.sizes);
  return {result};
}

std::vector<Value> decompose_masked_fill(Builder& b, const Arguments& arguments) {
  const DType dtype = arguments.result().dtype;
  const Operand value = arguments.is_tensor(2) ? Operand(b.cast(arguments.value(2), dtype)) : arguments.operand(2);
  return {b.pointwise("aten::where.self", {arguments.value(1), value, arguments.value(0)})};
}

using enum Promotion;

constexpr Composite kClamp{infer_clamp<3>, decompose_clamp, true};
constexpr Composite kClampMin{infer_clamp<2>, decompose_clamp_min, true};
constexpr Composite kClampMax{infer_clamp<2>, decompose_clamp_max, true};
constexpr Composite kDivision{infer_division, decompose_division};
constexpr Composite kMaskedFill{infer_masked_fill, decompose_masked_fill, true};

constexpr Op kRows[] = {
    {"aten::clamp", Common, kClamp},
    {"aten::clamp.Tensor", Common, kClamp},
    {"aten::clamp_max", Common, kClampMax},
    {"aten::clamp_max.Tensor", Common, kClampMax},
    {"aten::clamp_min", Common, kClampMin},
    {"aten::clamp_min.Tensor", Common, kClampMin},
    {"aten::div.Scalar_mode", Common, kDivision},
    {"aten::div.Tensor_mode", Common, kDivision},
    {"aten::floor_divide", Common, kDivision},
    {"aten::floor_divide.Scalar", Common, kDivision},
    {"aten::fmod.Scalar", Common, kDivision},
    {"aten::fmod.Tensor", Common, kDivision},
    {"aten::gelu", Same, Composite{infer_gelu, decompose_gelu}},
    {"aten::masked_fill.Scalar", Same, kMaskedFill},
    {"aten::masked_fill.Tensor", Same, kMaskedFill},
    {"aten::pow.Scalar", Common, Composite{infer_power_of_number, decompose_power_of_number, true}},
    {"aten::pow.Tensor_Scalar", Common, Composite{infer_power, decompose_power, true}},
    {"aten::remainder.Scalar", Common, kDivision},
    {"aten::remainder.Scalar_Tensor", Common, kDivision},
    {"aten::remainder.Tensor", Common, kDivision},
    {"aten::rsub.Tensor", Common, Composite{infer_reversed_sub, decompose_reversed_sub, true}},
    {"aten::square", Same, Composite{infer_square, decompose_square}},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> pointwise_form_rows() { return kRows; }

}  // namespace torchweld::graph
