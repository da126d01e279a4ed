#include "graph/builder.h"

#include <algorithm>
#include <array>

#include "graph/layout.h"
#include "graph/pointwise.h"
#include "torchweld/error.h"

namespace torchweld::graph {
namespace {

constexpr std::array<std::string_view, 8> kReductionOps{"torchweld::sum",    "torchweld::prod",  "torchweld::max",
                                                        "torchweld::min",    "torchweld::any",   "torchweld::all",
                                                        "torchweld::argmax", "torchweld::argmin"};

const Op& op_named(std::string_view name) {
  const Op* op = find_op(name);
  ensure(op != nullptr, "a builder adds ops of the op table");
  return *op;
}

DType reduced_dtype(ReductionKind kind, DType dtype) {
  if (kind == ReductionKind::argmax || kind == ReductionKind::argmin) return DType::i64;
  if (kind == ReductionKind::any || kind == ReductionKind::all) return DType::b8;
  return dtype;
}

TensorType contiguous_like(const TensorType& type, DType dtype, Dims sizes) {
  TensorType result{.dtype = dtype, .sizes = std::move(sizes), .strides = {}};
  result.strides = contiguous_strides(result.sizes);
  result.device = type.device;
  return result;
}

}  // namespace

Value Builder::add_node(std::string_view op, std::vector<Operand> operands, TensorType type) {
  return graph_.add_one(op_named(op), std::move(operands), std::move(type), line_);
}

Value Builder::pointwise(std::string_view name, std::vector<Operand> operands) {
  const Op& op = op_named(name);
  TensorType type = infer_pointwise({graph_, op, operands, default_dtype_, Place{}});
  return graph_.add_one(op, std::move(operands), std::move(type), line_);
}

Value Builder::cast(Value x, DType dtype) {
  TensorType type = tensor(x);
  if (type.dtype == dtype) return x;
  type.dtype = dtype;
  type.strides = preserved_strides(type);
  return copy(x, type);
}

Value Builder::to_compute(Value x) { return cast(x, compute_dtype(dtype(x))); }

Value Builder::copy(Value x, const TensorType& type) {
  TensorType result = type;
  result.alignment = kVectorBytes;
  result.wrapped_number = false;
  return add_node("torchweld::cast", {x}, std::move(result));
}

Value Builder::reduce(ReductionKind kind, Value x, const Dims& dims) {
  const bool index = kind == ReductionKind::argmax || kind == ReductionKind::argmin;
  if (dims.empty() && !index) return x;
  Dims kept;
  for (std::int64_t dim = 0; dim < tensor(x).rank(); ++dim)
    if (!std::binary_search(dims.begin(), dims.end(), dim)) kept.push_back(sizes(x)[static_cast<std::size_t>(dim)]);
  TensorType type = contiguous_like(tensor(x), reduced_dtype(kind, dtype(x)), std::move(kept));
  return add_node(kReductionOps[static_cast<std::size_t>(kind)], {x, dims}, std::move(type));
}

Value Builder::reduce_keeping_dims(ReductionKind kind, Value x, const Dims& dims) {
  Dims kept = sizes(x);
  for (const std::int64_t dim : dims) kept[static_cast<std::size_t>(dim)] = 1;
  return reshape(reduce(kind, x, dims), kept);
}

Value Builder::permute(Value x, const Dims& order) {
  TensorType type = tensor(x);
  for (std::size_t i = 0; i < order.size(); ++i) {
    type.sizes[i] = tensor(x).sizes[static_cast<std::size_t>(order[i])];
    type.strides[i] = tensor(x).strides[static_cast<std::size_t>(order[i])];
  }
  return add_node("torchweld::permute", {x, order}, std::move(type));
}

Value Builder::reshape(Value x, const Dims& sizes) {
  TensorType type = tensor(x);
  if (type.sizes == sizes) return x;
  std::optional<Dims> strides = view_strides(type, sizes);
  if (!strides) {  // eager copies
    strides = contiguous_strides(sizes);
    type.alignment = kVectorBytes;
  }
  type.sizes = sizes;
  type.strides = std::move(*strides);
  return add_node("torchweld::reshape", {x, sizes}, std::move(type));
}

Value Builder::expand(Value x, const Dims& sizes) {
  Dims with_ones = tensor(x).sizes;
  with_ones.insert(with_ones.begin(), sizes.size() - with_ones.size(), 1);
  const Value aligned = reshape(x, with_ones);
  TensorType type = tensor(aligned);
  if (type.sizes == sizes) return aligned;
  for (std::size_t dim = 0; dim < sizes.size(); ++dim)
    if (type.sizes[dim] != sizes[dim]) type.strides[dim] = 0;
  type.sizes = sizes;
  return add_node("torchweld::expand", {aligned, sizes}, std::move(type));
}

Value Builder::slice(Value x, std::size_t dim, std::int64_t start, std::int64_t step, std::int64_t size) {
  TensorType type = tensor(x);
  if (start == 0 && step == 1 && type.sizes[dim] == size) return x;
  type.alignment = size_of(type.dtype);
  type.sizes[dim] = size;
  type.strides[dim] *= step;
  return add_node("torchweld::slice", {x, static_cast<std::int64_t>(dim), start, step}, std::move(type));
}

Value Builder::cat(const std::vector<Value>& values, std::size_t dim) {
  Dims sizes = tensor(values.front()).sizes;
  sizes[dim] = 0;
  for (const Value value : values) sizes[dim] += tensor(value).sizes[dim];
  TensorType type = contiguous_like(tensor(values.front()), dtype(values.front()), std::move(sizes));
  return add_node("torchweld::cat", {Operand::List(values.begin(), values.end()), static_cast<std::int64_t>(dim)},
                  std::move(type));
}

Value Builder::full(Operand value, const TensorType& type) {
  return add_node("torchweld::full", {std::move(value)}, type);
}

Value Builder::arange(Operand start, Operand step, const TensorType& type) {
  return add_node("torchweld::arange", {std::move(start), std::move(step)}, type);
}

}  // namespace torchweld::graph
