#include "graph/builder.h"
#include "graph/layout.h"
#include "graph/ops/composites.h"
#include "graph/ops/rows.h"

/// Casts, copies and ops that return their operand: results that may be the operand itself.
namespace torchweld::graph {
namespace {

/// TorchScript's codes of memory formats (c10::MemoryFormat).
enum : std::int64_t { kContiguousFormat = 0, kPreserveFormat = 1, kChannelsLast = 2, kChannelsLast3d = 3 };

/// Strides of a copy of `x` in the format of operand `i` (None: the preserved layout).
Dims strides_in_format(const Arguments& arguments, std::size_t i, const TensorType& x) {
  const std::int64_t format = arguments.is_none(i) ? std::int64_t{kPreserveFormat} : arguments.integer(i);
  if (format == kContiguousFormat) return contiguous_strides(x.sizes);
  if (format == kPreserveFormat) return preserved_strides(x);
  const std::int64_t rank = format == kChannelsLast ? 4 : 5;
  if (x.rank() != rank) arguments.eager_refuses("channels-last format of " + std::to_string(x.rank()) + " dims");
  return channels_last_strides(x.sizes);
}

bool is_in_format(const Arguments& arguments, std::size_t i, const TensorType& x) {
  const std::int64_t format = arguments.is_none(i) ? std::int64_t{kPreserveFormat} : arguments.integer(i);
  if (format == kPreserveFormat) return true;
  if (format == kContiguousFormat) return is_contiguous(x);
  return is_channels_last(x, format == kChannelsLast ? 4 : 5);
}

/// at::Tensor::to: the operand itself when nothing changes and no copy is asked for.
std::vector<TensorType> to_result(const Arguments& arguments, std::optional<DType> dtype, std::size_t copy,
                                  std::optional<std::size_t> format) {
  const TensorType& x = arguments.tensor(0);
  const bool formatted = !format || is_in_format(arguments, *format, x);
  if (!arguments.boolean(copy) && dtype.value_or(x.dtype) == x.dtype && formatted) return {x};
  TensorType result = result_like(x, dtype.value_or(x.dtype));
  if (format) result.strides = strides_in_format(arguments, *format, x);
  return {result};
}

/// Only the device that the operand is on already.
void check_device(const Arguments& arguments, std::size_t i) {
  if (!arguments.is_none(i) && !arguments.names_device(i, arguments.tensor(0).device))
    arguments.refuse("op_form", "to another device");
}

/// to.dtype(x, dtype, non_blocking, copy, memory_format)
std::vector<TensorType> infer_to_dtype(const Arguments& arguments) {
  return to_result(arguments, arguments.dtype(1), 3, 4);
}

/// to.dtype_layout(x, dtype, layout, device, pin_memory, non_blocking, copy, memory_format)
std::vector<TensorType> infer_to_dtype_layout(const Arguments& arguments) {
  check_device(arguments, 3);
  return to_result(arguments, arguments.dtype(1), 6, 7);
}

/// to.device(x, device, dtype, non_blocking, copy, memory_format)
std::vector<TensorType> infer_to_device(const Arguments& arguments) {
  check_device(arguments, 1);
  return to_result(arguments, arguments.dtype(2), 4, 5);
}

/// to.other(x, other, non_blocking, copy, memory_format)
std::vector<TensorType> infer_to_other(const Arguments& arguments) {
  if (arguments.tensor(1).device != arguments.tensor(0).device) arguments.refuse("op_form", "to another device");
  return to_result(arguments, arguments.tensor(1).dtype, 3, 4);
}

/// to.prim_Device(x, device, dtype, non_blocking, copy)
std::vector<TensorType> infer_to_prim_device(const Arguments& arguments) {
  check_device(arguments, 1);
  return to_result(arguments, arguments.dtype(2), 4, std::nullopt);
}

/// to.prim_dtype(x, dtype, non_blocking, copy)
std::vector<TensorType> infer_to_prim_dtype(const Arguments& arguments) {
  return to_result(arguments, arguments.dtype(1), 3, std::nullopt);
}

/// to.prim_other(x, non_blocking, copy)
std::vector<TensorType> infer_to_prim_other(const Arguments& arguments) {
  return to_result(arguments, std::nullopt, 2, std::nullopt);
}

/// type_as(x, other)
std::vector<TensorType> infer_type_as(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  const TensorType& other = arguments.tensor(1);
  if (other.device != x.device) arguments.refuse("op_form", "to another device");
  return {other.dtype == x.dtype ? x : result_like(x, other.dtype)};
}

/// _cast_Float(x, non_blocking)
std::vector<TensorType> infer_cast_float(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  return {x.dtype == DType::f32 ? x : result_like(x, DType::f32)};
}

/// _autocast_to_full_precision(x, cuda_enabled, cpu_enabled)
std::vector<TensorType> infer_full_precision(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  const bool enabled = arguments.boolean(x.device == Device::cuda ? 1 : 2);
  const bool reduced = x.dtype == DType::f16 || x.dtype == DType::bf16;
  return {enabled && reduced ? result_like(x, DType::f32) : x};
}

/// _autocast_to_reduced_precision(x, cuda_enabled, cpu_enabled, cuda_dtype, cpu_dtype)
std::vector<TensorType> infer_reduced_precision(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  const std::size_t device = x.device == Device::cuda ? 0 : 1;
  const std::optional<DType> dtype = arguments.dtype(3 + device);
  if (!arguments.boolean(1 + device) || !dtype || x.dtype != DType::f32 || *dtype == x.dtype) return {x};
  return {result_like(x, *dtype)};
}

/// The operand itself where nothing changes; lower() adds a copy where the layout does.
std::vector<Value> decompose_cast(Builder& b, const Arguments& arguments) {
  return {b.cast(arguments.value(0), arguments.result().dtype)};
}

/// The same for `to`, whose operand `copy` may ask for memory of its own.
template <std::size_t copy>
std::vector<Value> decompose_to(Builder& b, const Arguments& arguments) {
  const Value x = b.cast(arguments.value(0), arguments.result().dtype);
  const bool is_copy = arguments.boolean(copy) && x == arguments.value(0);
  return {is_copy ? b.copy(x, arguments.result()) : x};
}

/// contiguous(x, memory_format)
std::vector<TensorType> infer_contiguous(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  const bool preserves = arguments.integer(1) == kPreserveFormat;
  if (preserves && !is_contiguous(x)) arguments.eager_refuses("the format to be preserved");
  if (is_in_format(arguments, 1, x)) return {x};
  TensorType result = result_like(x, x.dtype);
  result.strides = strides_in_format(arguments, 1, x);
  return {result};
}

/// The operand itself; lower() adds a copy where the layout differs.
std::vector<Value> decompose_identity(Builder&, const Arguments& arguments) { return {arguments.value(0)}; }

/// clone(x, memory_format)
std::vector<TensorType> infer_clone(const Arguments& arguments) {
  TensorType result = result_like(arguments.tensor(0), arguments.tensor(0).dtype);
  result.strides = strides_in_format(arguments, 1, arguments.tensor(0));
  return {result};
}

std::vector<Value> decompose_clone(Builder& b, const Arguments& arguments) {
  return {b.copy(arguments.value(0), arguments.result())};
}

std::vector<TensorType> infer_identity(const Arguments& arguments) { return {arguments.tensor(0)}; }

std::vector<TensorType> infer_positive(const Arguments& arguments) {
  if (arguments.tensor(0).dtype == DType::b8) arguments.eager_refuses("dtype bool");
  return {arguments.tensor(0)};
}

/// dropout(x, p, train)
std::vector<TensorType> infer_dropout(const Arguments& arguments) {
  if (arguments.boolean(2)) arguments.refuse("op_form", "training");
  return {arguments.tensor(0)};
}

constexpr Composite kIdentity = view_composite(infer_identity, decompose_identity);
constexpr Composite kDropout{infer_dropout, decompose_identity, true, true};

constexpr Op kRows[] = {
    {"aten::_autocast_to_full_precision", Promotion::Cast, view_composite(infer_full_precision, decompose_cast)},
    {"aten::_autocast_to_reduced_precision", Promotion::Cast, view_composite(infer_reduced_precision, decompose_cast)},
    {"aten::_cast_Float", Promotion::Cast, view_composite(infer_cast_float, decompose_cast)},
    {"aten::alias", Promotion::Same, kIdentity},
    {"aten::clone", Promotion::Same, Composite{infer_clone, decompose_clone}},
    {"aten::contiguous", Promotion::Same, view_composite(infer_contiguous, decompose_identity)},
    {"aten::detach", Promotion::Same, kIdentity},
    {"aten::dropout", Promotion::Same, kDropout},
    {"aten::feature_dropout", Promotion::Same, kDropout},
    {"aten::positive", Promotion::Same, view_composite(infer_positive, decompose_identity)},
    {"aten::resolve_conj", Promotion::Same, kIdentity},
    {"aten::resolve_neg", Promotion::Same, kIdentity},
    {"aten::to.device", Promotion::Cast, view_composite(infer_to_device, decompose_to<4>)},
    {"aten::to.dtype", Promotion::Cast, view_composite(infer_to_dtype, decompose_to<3>)},
    {"aten::to.dtype_layout", Promotion::Cast, view_composite(infer_to_dtype_layout, decompose_to<6>)},
    {"aten::to.other", Promotion::Cast, view_composite(infer_to_other, decompose_to<3>)},
    {"aten::to.prim_Device", Promotion::Cast, view_composite(infer_to_prim_device, decompose_to<4>)},
    {"aten::to.prim_dtype", Promotion::Cast, view_composite(infer_to_prim_dtype, decompose_to<3>)},
    {"aten::to.prim_other", Promotion::Cast, view_composite(infer_to_prim_other, decompose_to<2>)},
    {"aten::type_as", Promotion::Cast, view_composite(infer_type_as, decompose_cast)},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> cast_rows() { return kRows; }

}  // namespace torchweld::graph
