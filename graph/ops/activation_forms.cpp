#include <cmath>
#include <limits>

#include "graph/builder.h"
#include "graph/layout.h"
#include "graph/ops/composites.h"
#include "graph/ops/rows.h"
#include "graph/pointwise.h"

/// Activations and the like whose operands are not those of an expression.
namespace torchweld::graph {
namespace {

void check_floats(const Arguments& arguments) {
  const DType dtype = arguments.tensor(0).dtype;
  if (!is_floating(dtype)) arguments.eager_refuses("dtype " + std::string(name_of(dtype)));
}

void check_numbers(const Arguments& arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i)
    if (!arguments.is_none(i) && !arguments.number_dtype(arguments.operand(i)))
      arguments.refuse("op_form", "operand " + std::to_string(i) + " is not a number");
}

std::vector<TensorType> infer_unary(const Arguments& arguments) {
  check_floats(arguments);
  const TensorType* x = &arguments.tensor(0);
  return {pointwise_result(arguments, x->dtype, {&x, 1}, false)};
}

// ---- celu(x, alpha), selu(x): eager has them as elu(x, alpha, scale, input_scale)

std::vector<TensorType> infer_celu(const Arguments& arguments) {
  if (arguments.number(1) == 0) arguments.eager_refuses("alpha is 0");
  return infer_unary(arguments);
}

std::vector<Value> decompose_celu(Builder& b, const Arguments& arguments) {
  return {b.pointwise("aten::elu", {arguments.value(0), arguments.operand(1), 1, 1 / arguments.number(1)})};
}

/// Klambauer et al., "Self-Normalizing Neural Networks".
std::vector<Value> decompose_selu(Builder& b, const Arguments& arguments) {
  constexpr double kAlpha = 1.6732632423543772848170429916717;
  constexpr double kScale = 1.0507009873554804934193349852946;
  return {b.pointwise("aten::elu", {arguments.value(0), kAlpha, kScale, 1})};
}

// ---- hardtanh(x, min, max)

std::vector<TensorType> infer_hardtanh(const Arguments& arguments) {
  const TensorType* x = &arguments.tensor(0);
  (void)arguments.operand(2);
  check_numbers(arguments);
  if (x->dtype == DType::b8) arguments.eager_refuses("dtype bool");
  if (x->dtype == DType::u8 && (arguments.number(1) < 0 || arguments.number(2) < 0))
    arguments.eager_refuses("a negative bound of an unsigned dtype");
  return {pointwise_result(arguments, x->dtype, {&x, 1}, false)};
}

std::vector<Value> decompose_hardtanh(Builder& b, const Arguments& arguments) {
  return {b.pointwise("torchweld::hardtanh", {arguments.operands().begin(), arguments.operands().end()})};
}

// ---- log_sigmoid(x)

/// On the host eager gives a row-major result.
std::vector<TensorType> infer_log_sigmoid(const Arguments& arguments) {
  std::vector<TensorType> types = infer_unary(arguments);
  if (types[0].device == Device::host) types[0].strides = contiguous_strides(types[0].sizes);
  return types;
}

std::vector<Value> decompose_log_sigmoid(Builder& b, const Arguments& arguments) {
  return {b.pointwise("torchweld::log_sigmoid", {arguments.value(0)})};
}

// ---- nan_to_num(x, nan, posinf, neginf); integers stay as they are

double largest_of(DType dtype) {
  if (dtype == DType::f16) return 65504;
  if (dtype == DType::bf16) return std::ldexp(255, 120);
  return dtype == DType::f32 ? double{std::numeric_limits<float>::max()} : std::numeric_limits<double>::max();
}

std::vector<TensorType> infer_nan_to_num(const Arguments& arguments) {
  (void)arguments.operand(3);
  check_numbers(arguments);
  return {result_like(arguments.tensor(0), arguments.tensor(0).dtype)};
}

std::vector<Value> decompose_nan_to_num(Builder& b, const Arguments& arguments) {
  const Value x = arguments.value(0);
  if (!is_floating(b.dtype(x))) return {b.copy(x, arguments.result())};
  const auto given = [&](std::size_t i, double otherwise) {
    return arguments.is_none(i) ? Operand(otherwise) : arguments.operand(i);
  };
  const double largest = largest_of(b.dtype(x));
  return {b.pointwise("torchweld::nan_to_num", {x, given(1, 0), given(2, largest), given(3, -largest)})};
}

// ---- glu(x, dim): one half scaled by the sigmoid of the other

std::size_t halved_dim(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  if (x.rank() == 0) arguments.eager_refuses("a tensor of no dims");
  const std::size_t dim = arguments.dim(1, x.rank());
  if (x.sizes[dim] % 2 != 0) arguments.eager_refuses("an odd size to halve");
  return dim;
}

std::vector<TensorType> infer_glu(const Arguments& arguments) {
  check_floats(arguments);
  const std::size_t dim = halved_dim(arguments);
  TensorType half = arguments.tensor(0);
  half.sizes[dim] /= 2;
  const std::vector<const TensorType*> halves{&half, &half};
  return {pointwise_result(arguments, half.dtype, halves, false)};
}

std::vector<Value> decompose_glu(Builder& b, const Arguments& arguments) {
  const Value x = arguments.value(0);
  const std::size_t dim = halved_dim(arguments);
  const std::int64_t size = b.sizes(x)[dim] / 2;
  return {b.pointwise("torchweld::glu", {b.slice(x, dim, 0, 1, size), b.slice(x, dim, size, 1, size)})};
}

// ---- prelu(x, weight): one weight, or one a channel

std::vector<TensorType> infer_prelu(const Arguments& arguments) {
  check_floats(arguments);
  const TensorType& x = arguments.tensor(0);
  const TensorType& weight = arguments.tensor(1);
  if (weight.dtype != x.dtype) arguments.eager_refuses("the weight has another dtype");
  if (weight.device != x.device) arguments.eager_refuses("tensors of two devices");
  const std::int64_t channels = x.rank() > 1 ? x.sizes[1] : 1;
  if (weight.rank() > 1 || (numel(weight.sizes) != 1 && (x.rank() == 0 || numel(weight.sizes) != channels)))
    arguments.eager_refuses("a weight of " + to_text(Type(weight)));
  return {result_like(x, x.dtype)};
}

std::vector<Value> decompose_prelu(Builder& b, const Arguments& arguments) {
  const Value x = arguments.value(0);
  Dims sizes(b.sizes(x).size(), 1);
  if (sizes.size() > 1) sizes[1] = numel(b.sizes(arguments.value(1)));
  return {b.pointwise("torchweld::prelu", {x, b.reshape(arguments.value(1), sizes)})};
}

// ---- addcdiv(x, a, b, value): eager refuses a quotient of integers

std::vector<TensorType> infer_addcdiv(const Arguments& arguments) {
  if (is_integral(arguments.tensor(1).dtype) && is_integral(arguments.tensor(2).dtype))
    arguments.eager_refuses("a quotient of integers");
  return {infer_pointwise(arguments.applied(*find_op("torchweld::addcdiv"), 4))};
}

std::vector<Value> decompose_addcdiv(Builder& b, const Arguments& arguments) {
  return {b.pointwise("torchweld::addcdiv", {arguments.operands().begin(), arguments.operands().end()})};
}

using enum Promotion;

constexpr Op kRows[] = {
    {"aten::addcdiv", Common, Composite{infer_addcdiv, decompose_addcdiv, true}},
    {"aten::celu", Same, Composite{infer_celu, decompose_celu}},
    {"aten::glu", Same, Composite{infer_glu, decompose_glu}},
    {"aten::hardtanh", Same, Composite{infer_hardtanh, decompose_hardtanh, true}},
    {"aten::log_sigmoid", Same, Composite{infer_log_sigmoid, decompose_log_sigmoid}},
    {"aten::nan_to_num", Same, Composite{infer_nan_to_num, decompose_nan_to_num, true}},
    {"aten::prelu", Same, Composite{infer_prelu, decompose_prelu}},
    {"aten::selu", Same, Composite{infer_unary, decompose_selu}},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> activation_form_rows() { return kRows; }

}  // namespace torchweld::graph
