#include <algorithm>
#include <limits>

#include "graph/builder.h"
#include "graph/layout.h"
#include "graph/ops/composites.h"
#include "graph/ops/rows.h"

namespace torchweld::graph {
namespace {

/// Eager takes a weight of the input's dtype, or f32 beside a 16-bit input where its kernel does.
void check_parameter(const Arguments& arguments, std::size_t i, const Dims& sizes, bool mixed) {
  if (arguments.is_none(i)) return;
  const TensorType& parameter = arguments.tensor(i);
  const DType dtype = arguments.tensor(0).dtype;
  if (parameter.sizes != sizes) arguments.eager_refuses("operand " + std::to_string(i) + " has other sizes");
  if (parameter.device != arguments.tensor(0).device) arguments.eager_refuses("tensors of two devices");
  if (parameter.dtype == dtype || (mixed && parameter.dtype == compute_dtype(dtype))) return;
  arguments.refuse("op_form", "operand " + std::to_string(i) + " is " + std::string(name_of(parameter.dtype)));
}

void check_floating(const Arguments& arguments) {
  const DType dtype = arguments.tensor(0).dtype;
  if (!is_floating(dtype)) arguments.eager_refuses("dtype " + std::string(name_of(dtype)));
}

/// x * weight + bias, each if given; they broadcast as `sizes`.
Value scale_and_shift(Builder& b, Value x, const Arguments& arguments, std::size_t weight, const Dims& sizes) {
  if (!arguments.is_none(weight)) x = b.mul(x, b.reshape(b.to_compute(arguments.value(weight)), sizes));
  if (!arguments.is_none(weight + 1)) x = b.add(x, b.reshape(b.to_compute(arguments.value(weight + 1)), sizes));
  return x;
}

Value reciprocal_deviation(Builder& b, Value variance, Operand epsilon) {
  return b.pointwise("aten::rsqrt", {b.add(variance, std::move(epsilon))});
}

/// Row-major, or channels last where `x` looks so.
TensorType suggested_result(const TensorType& x) {
  TensorType result = contiguous_result(x, x.dtype, x.sizes);
  result.strides = suggested_strides(x);
  return result;
}

/// The dims that a normalized shape of `count` dims covers: the last ones.
Dims last_dims(std::int64_t rank, std::size_t count) {
  Dims dims;
  for (std::int64_t dim = rank - static_cast<std::int64_t>(count); dim < rank; ++dim) dims.push_back(dim);
  return dims;
}

Dims normalized_sizes(const Arguments& arguments) {
  check_floating(arguments);
  Dims normalized = arguments.ints(1);
  const Dims& sizes = arguments.tensor(0).sizes;
  const bool ends_so = normalized.size() <= sizes.size() && !normalized.empty() &&
                       std::equal(normalized.rbegin(), normalized.rend(), sizes.rbegin());
  if (!ends_so) arguments.eager_refuses("the normalized shape is not the end of " + to_text(Type(arguments.tensor(0))));
  return normalized;
}

/// layer_norm(x, normalized_shape, weight, bias, eps, cudnn_enable)
std::vector<TensorType> infer_layer_norm(const Arguments& arguments) {
  const Dims normalized = normalized_sizes(arguments);
  const TensorType& x = arguments.tensor(0);
  const bool mixed = x.device == Device::host;
  check_parameter(arguments, 2, normalized, mixed);
  check_parameter(arguments, 3, normalized, mixed);
  return {contiguous_result(x, x.dtype, x.sizes)};
}

std::vector<Value> decompose_layer_norm(Builder& b, const Arguments& arguments) {
  const Value x = b.to_compute(arguments.value(0));
  const Dims normalized = arguments.ints(1);
  const Moments row = moments_keeping_dims(b, x, last_dims(b.tensor(x).rank(), normalized.size()), 0);
  const Value unit = b.mul(row.deviation, reciprocal_deviation(b, row.variance, arguments.operand(4)));
  return {b.cast(scale_and_shift(b, unit, arguments, 2, normalized), arguments.result().dtype)};
}

/// rms_norm(x, normalized_shape, weight, eps); without eps, the machine epsilon of the compute dtype.
std::vector<TensorType> infer_rms_norm(const Arguments& arguments) {
  const Dims normalized = normalized_sizes(arguments);
  check_parameter(arguments, 2, normalized, true);
  return {suggested_result(arguments.tensor(0))};
}

std::vector<Value> decompose_rms_norm(Builder& b, const Arguments& arguments) {
  const Value x = b.to_compute(arguments.value(0));
  const Dims normalized = arguments.ints(1);
  const Dims dims = last_dims(b.tensor(x).rank(), normalized.size());
  const double machine_epsilon =
      b.dtype(x) == DType::f64 ? std::numeric_limits<double>::epsilon() : double{std::numeric_limits<float>::epsilon()};
  const Operand epsilon = arguments.is_none(3) ? Operand(machine_epsilon) : arguments.operand(3);
  Value result = b.mul(x, reciprocal_deviation(b, mean_keeping_dims(b, b.mul(x, x), dims), epsilon));
  if (!arguments.is_none(2)) result = b.mul(result, b.to_compute(arguments.value(2)));
  return {b.cast(result, arguments.result().dtype)};
}

Dims per_channel(const TensorType& x) {
  Dims sizes(x.sizes.size(), 1);
  sizes[1] = x.sizes[1];
  return sizes;
}

/// batch_norm(x, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled)
std::vector<TensorType> infer_batch_norm(const Arguments& arguments) {
  check_floating(arguments);
  const TensorType& x = arguments.tensor(0);
  if (arguments.boolean(5)) arguments.refuse("op_form", "training");
  if (x.rank() < 2) arguments.eager_refuses("fewer than two dims");
  if (arguments.is_none(3) || arguments.is_none(4)) arguments.eager_refuses("no running statistics");
  for (std::size_t i = 1; i <= 4; ++i) check_parameter(arguments, i, {x.sizes[1]}, true);
  // On a GPU eager computes two dims as a pointwise op (recorded in tests/graph/eager_layouts_cuda.inc).
  if (x.device == Device::cuda && x.rank() == 2) return {result_like(x, x.dtype)};
  return {suggested_result(x)};
}

std::vector<Value> decompose_batch_norm(Builder& b, const Arguments& arguments) {
  const Value x = b.to_compute(arguments.value(0));
  const Dims channel = per_channel(b.tensor(x));
  const Value mean = b.reshape(b.to_compute(arguments.value(3)), channel);
  const Value variance = b.reshape(b.to_compute(arguments.value(4)), channel);
  const Value scale = reciprocal_deviation(b, variance, arguments.operand(7));
  const Value unit = b.mul(b.sub(x, mean), scale);
  return {b.cast(scale_and_shift(b, unit, arguments, 1, channel), arguments.result().dtype)};
}

/// instance_norm(x, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled)
std::vector<TensorType> infer_instance_norm(const Arguments& arguments) {
  check_floating(arguments);
  const TensorType& x = arguments.tensor(0);
  if (x.rank() < 2) arguments.eager_refuses("fewer than two dims");
  const bool tracked = !arguments.is_none(3) || !arguments.is_none(4);
  if (tracked && arguments.boolean(5)) arguments.refuse("op_form", "training");
  if (!arguments.boolean(5) && (arguments.is_none(3) || arguments.is_none(4)))
    arguments.eager_refuses("no running statistics");
  for (std::size_t i = 1; i <= 4; ++i) check_parameter(arguments, i, {x.sizes[1]}, true);
  if (numel(x.sizes) == 0) arguments.refuse("op_form", "a norm of no elements");
  return {contiguous_result(x, x.dtype, x.sizes)};
}

std::vector<Value> decompose_instance_norm(Builder& b, const Arguments& arguments) {
  if (!arguments.boolean(5)) return decompose_batch_norm(b, arguments);
  const Value x = b.to_compute(arguments.value(0));
  const Dims dims = last_dims(b.tensor(x).rank(), b.sizes(x).size() - 2);
  const Moments moments = moments_keeping_dims(b, x, dims, 0);
  const Value unit = b.mul(moments.deviation, reciprocal_deviation(b, moments.variance, arguments.operand(7)));
  const Value result = scale_and_shift(b, unit, arguments, 1, per_channel(b.tensor(x)));
  return {b.cast(result, arguments.result().dtype)};
}

/// group_norm(x, num_groups, weight, bias, eps, cudnn_enabled)
std::vector<TensorType> infer_group_norm(const Arguments& arguments) {
  check_floating(arguments);
  const TensorType& x = arguments.tensor(0);
  const std::int64_t groups = arguments.integer(1);
  if (x.rank() < 2 || groups <= 0 || x.sizes[1] % groups != 0)
    arguments.eager_refuses("channels are not a multiple of groups");
  check_parameter(arguments, 2, {x.sizes[1]}, true);
  check_parameter(arguments, 3, {x.sizes[1]}, true);
  return {x.device == Device::cuda ? contiguous_result(x, x.dtype, x.sizes) : suggested_result(x)};
}

std::vector<Value> decompose_group_norm(Builder& b, const Arguments& arguments) {
  const Value x = b.to_compute(arguments.value(0));
  const Dims sizes = b.sizes(x);
  const std::int64_t groups = arguments.integer(1);
  Dims grouped{sizes[0], groups, sizes[1] / groups};
  grouped.insert(grouped.end(), sizes.begin() + 2, sizes.end());
  const Dims dims = last_dims(static_cast<std::int64_t>(grouped.size()), grouped.size() - 2);
  const Moments group = moments_keeping_dims(b, b.reshape(x, grouped), dims, 0);
  const Value unit = b.mul(group.deviation, reciprocal_deviation(b, group.variance, arguments.operand(4)));
  const Value result = scale_and_shift(b, b.reshape(unit, sizes), arguments, 2, per_channel(b.tensor(x)));
  return {b.cast(result, arguments.result().dtype)};
}

constexpr Op kRows[] = {
    {"aten::batch_norm", Promotion::Same, Composite{infer_batch_norm, decompose_batch_norm}},
    {"aten::group_norm", Promotion::Same, Composite{infer_group_norm, decompose_group_norm}},
    {"aten::instance_norm", Promotion::Same, Composite{infer_instance_norm, decompose_instance_norm}},
    {"aten::layer_norm", Promotion::Same, Composite{infer_layer_norm, decompose_layer_norm}},
    {"aten::rms_norm", Promotion::Same, Composite{infer_rms_norm, decompose_rms_norm}},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> norm_rows() { return kRows; }

}  // namespace torchweld::graph
