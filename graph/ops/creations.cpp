#include <limits>

#include "graph/builder.h"
#include "graph/layout.h"
#include "graph/ops/composites.h"
#include "graph/ops/rows.h"

namespace torchweld::graph {
namespace {

DType dtype_of_number(const Arguments& arguments, std::size_t i) {
  const std::optional<DType> dtype = arguments.number_dtype(arguments.operand(i));
  if (!dtype) arguments.refuse("op_form", "operand " + std::to_string(i) + " is not a number");
  return is_floating(*dtype) ? arguments.default_dtype() : *dtype;
}

/// What a creation's operands dtype, layout, device and pin_memory, which begin at `i`, say of its result; `otherwise`
/// where they say nothing.
struct Created {
  DType dtype;
  Device device;
};
Created created(const Arguments& arguments, std::size_t i, const Created& otherwise) {
  Created result = otherwise;
  if (!arguments.is_none(i + 2)) {
    result.device = arguments.place().device;
    if (!arguments.names_device(i + 2, result.device)) arguments.refuse("op_form", "on another device");
  } else if (result.device != arguments.place().device) {
    arguments.refuse("op_form", "on the host, in a region on a cuda device");
  }
  result.dtype = arguments.dtype(i).value_or(otherwise.dtype);
  return result;
}

Created created_like(const Arguments& arguments, std::size_t i) {
  return created(arguments, i, {arguments.tensor(0).dtype, arguments.tensor(0).device});
}

TensorType contiguous(const Arguments& arguments, const Created& created, Dims sizes) {
  for (const std::int64_t size : sizes)
    if (size < 0) arguments.eager_refuses("a size is negative");
  TensorType type{.dtype = created.dtype, .sizes = std::move(sizes), .strides = {}};
  type.strides = contiguous_strides(type.sizes);
  type.device = created.device;
  return type;
}

/// full(sizes, value, dtype, layout, device, pin_memory)
std::vector<TensorType> infer_full(const Arguments& arguments) {
  const Created result = created(arguments, 2, {dtype_of_number(arguments, 1), Device::host});
  return {contiguous(arguments, result, arguments.ints(0))};
}

/// scalar_tensor(value, dtype, layout, device, pin_memory)
std::vector<TensorType> infer_scalar_tensor(const Arguments& arguments) {
  (void)dtype_of_number(arguments, 0);
  return {contiguous(arguments, created(arguments, 1, {arguments.default_dtype(), Device::host}), {})};
}
std::vector<Value> decompose_scalar_tensor(Builder& b, const Arguments& arguments) {
  return {b.full(arguments.operand(0), arguments.result())};
}

/// zeros(sizes, dtype, layout, device, pin_memory)
std::vector<TensorType> infer_zeros(const Arguments& arguments) {
  const Created result = created(arguments, 1, {arguments.default_dtype(), Device::host});
  return {contiguous(arguments, result, arguments.ints(0))};
}

TensorType like(const Arguments& arguments, std::size_t i) {
  const TensorType& x = arguments.tensor(0);
  if (!arguments.is_none(i + 4) && arguments.integer(i + 4) != 1) arguments.refuse("op_form", "a memory format");
  return result_like(x, created_like(arguments, i).dtype);
}

/// full_like(x, value, dtype, layout, device, pin_memory, memory_format); zeros_like lacks the value
std::vector<TensorType> infer_full_like(const Arguments& arguments) { return {like(arguments, 2)}; }
std::vector<TensorType> infer_zeros_like(const Arguments& arguments) { return {like(arguments, 1)}; }

/// new_full(x, sizes, value, dtype, layout, device, pin_memory); new_zeros lacks the value
std::vector<TensorType> infer_new_full(const Arguments& arguments) {
  return {contiguous(arguments, created_like(arguments, 3), arguments.ints(1))};
}
std::vector<TensorType> infer_new_zeros(const Arguments& arguments) {
  return {contiguous(arguments, created_like(arguments, 2), arguments.ints(1))};
}

std::vector<Value> decompose_new_full(Builder& b, const Arguments& arguments) {
  return {b.full(arguments.operand(2), arguments.result())};
}

std::vector<Value> decompose_full(Builder& b, const Arguments& arguments) {
  return {b.full(arguments.operand(1), arguments.result())};
}
std::vector<Value> decompose_zeros(Builder& b, const Arguments& arguments) { return {b.full(0, arguments.result())}; }
std::vector<Value> decompose_ones(Builder& b, const Arguments& arguments) { return {b.full(1, arguments.result())}; }

/// arange(end, ...), arange.start(start, end, ...), arange.start_step(start, end, step, ...); dtype and the like follow
std::size_t numbers_of_range(const Arguments& arguments) {
  if (arguments.size() < 5) arguments.refuse("op_form", "operands are missing");
  return arguments.size() - 4;
}

Operand range_start(const Arguments& arguments) {
  return numbers_of_range(arguments) == 1 ? Operand(0) : arguments.operand(0);
}

/// Ranges of ints only: eager works out the values of a range of floats in f64, in ways that differ by device.
std::vector<TensorType> infer_arange(const Arguments& arguments) {
  const std::size_t numbers = numbers_of_range(arguments);
  for (std::size_t i = 0; i < numbers; ++i)
    if (is_floating(dtype_of_number(arguments, i))) arguments.refuse("op_form", "a range of floats");
  const Created result = created(arguments, numbers, {DType::i64, Device::host});
  if (is_floating(result.dtype)) arguments.refuse("op_form", "a range of floats");
  const std::int64_t first = numbers == 1 ? 0 : arguments.integer(0);
  const std::int64_t last = arguments.integer(numbers == 1 ? 0 : 1);
  const std::int64_t step = numbers == 3 ? arguments.integer(2) : 1;
  if (step == 0 || (step > 0 ? last < first : last > first)) arguments.eager_refuses("bounds disagree with the step");
  std::int64_t distance = 0;
  const bool overflows = __builtin_sub_overflow(last, first, &distance);
  if (overflows || distance == std::numeric_limits<std::int64_t>::min())
    arguments.refuse("too_large", "a range of more than 2^63");
  return {contiguous(arguments, result, {distance / step + (distance % step != 0 ? 1 : 0)})};
}

std::vector<Value> decompose_arange(Builder& b, const Arguments& arguments) {
  const Operand step = numbers_of_range(arguments) == 3 ? arguments.operand(2) : Operand(1);
  return {b.arange(range_start(arguments), step, arguments.result())};
}

using enum Promotion;

constexpr Op kRows[] = {
    {"aten::arange", Cast, Composite{infer_arange, decompose_arange}},
    {"aten::arange.start", Cast, Composite{infer_arange, decompose_arange}},
    {"aten::arange.start_step", Cast, Composite{infer_arange, decompose_arange}},
    {"aten::full", Cast, Composite{infer_full, decompose_full}},
    {"aten::full_like", Cast, Composite{infer_full_like, decompose_full, true}},
    {"aten::new_full", Cast, Composite{infer_new_full, decompose_new_full}},
    {"aten::new_ones", Cast, Composite{infer_new_zeros, decompose_ones}},
    {"aten::new_zeros", Cast, Composite{infer_new_zeros, decompose_zeros}},
    {"aten::ones", Cast, Composite{infer_zeros, decompose_ones}},
    {"aten::ones_like", Cast, Composite{infer_zeros_like, decompose_ones}},
    {"aten::scalar_tensor", Cast, Composite{infer_scalar_tensor, decompose_scalar_tensor, true}},
    {"aten::zeros", Cast, Composite{infer_zeros, decompose_zeros}},
    {"aten::zeros_like", Cast, Composite{infer_zeros_like, decompose_zeros}},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> creation_rows() { return kRows; }

}  // namespace torchweld::graph
