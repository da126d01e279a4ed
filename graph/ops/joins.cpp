#include <algorithm>

#include "graph/builder.h"
#include "graph/layout.h"
#include "graph/ops/composites.h"
#include "graph/ops/rows.h"
#include "graph/promotion.h"

namespace torchweld::graph {
namespace {

/// cat() skips tensors of sizes [0], whatever the rank of the others.
bool is_skipped(const TensorType& type) { return type.sizes == Dims{0}; }

/// The tensors that take part, never none.
std::vector<Value> joined_values(const Arguments& arguments) {
  std::vector<Value> values = arguments.values(0);
  if (values.empty()) arguments.eager_refuses("no tensors");
  const Value first = values.front();
  std::erase_if(values, [&](Value value) { return is_skipped(arguments.tensor(value)); });
  if (values.empty()) values.push_back(first);
  return values;
}

DType joined_dtype(const Arguments& arguments) {
  ResultDType dtype(arguments.default_dtype());
  for (const Value value : arguments.values(0)) dtype.add(arguments.tensor(value));
  return *dtype.get();
}

void check_joinable(const Arguments& arguments, const TensorType& first, const TensorType& other, std::size_t dim) {
  if (other.device != first.device) arguments.eager_refuses("tensors of two devices");
  bool same = other.sizes.size() == first.sizes.size();
  for (std::size_t i = 0; same && i < first.sizes.size(); ++i) same = i == dim || other.sizes[i] == first.sizes[i];
  if (!same) arguments.eager_refuses("sizes differ outside of the joined dim");
}

/// Channels last when every tensor looks so, else row-major.
Dims joined_strides(const std::vector<TensorType>& types, const Dims& sizes) {
  const bool channels_last = std::all_of(types.begin(), types.end(), looks_channels_last);
  return channels_last ? channels_last_strides(sizes) : contiguous_strides(sizes);
}

std::vector<TensorType> types_of(const Arguments& arguments) {
  std::vector<TensorType> types;
  for (const Value value : arguments.values(0)) types.push_back(arguments.tensor(value));
  return types;
}

/// cat(tensors, dim)
std::vector<TensorType> infer_cat(const Arguments& arguments) {
  const std::vector<Value> values = joined_values(arguments);
  const TensorType& first = arguments.tensor(values.front());
  if (first.rank() == 0) arguments.eager_refuses("a tensor of no dims");
  const std::size_t dim = arguments.dim(1, first.rank());
  TensorType result = contiguous_result(first, joined_dtype(arguments), first.sizes);
  result.sizes[dim] = 0;
  for (const Value value : values) {
    check_joinable(arguments, first, arguments.tensor(value), dim);
    result.sizes[dim] += arguments.tensor(value).sizes[dim];
  }
  result.strides = joined_strides(types_of(arguments), result.sizes);
  return {result};
}

std::vector<Value> decompose_cat(Builder& b, const Arguments& arguments) {
  std::vector<Value> values = joined_values(arguments);
  const std::size_t dim = arguments.dim(1, b.tensor(values.front()).rank());
  for (Value& value : values) value = b.cast(value, arguments.result().dtype);
  return {b.cat(values, dim)};
}

/// Eager joins along `dim` and splits that dim by a view; where there is no such dim, it joins along a new one.
Dims stacked_strides(std::vector<TensorType> types, const Dims& sizes, std::size_t dim) {
  TensorType joined = types.front();
  if (dim < joined.sizes.size()) {
    joined.sizes[dim] *= static_cast<std::int64_t>(types.size());
    joined.strides = joined_strides(types, joined.sizes);
    return view_strides(joined, sizes).value_or(contiguous_strides(sizes));
  }
  for (TensorType& type : types) {
    type.sizes.push_back(1);
    type.strides.push_back(1);
  }
  return joined_strides(types, sizes);
}

/// stack(tensors, dim)
std::vector<TensorType> infer_stack(const Arguments& arguments) {
  const std::vector<Value> values = arguments.values(0);
  if (values.empty()) arguments.eager_refuses("no tensors");
  const TensorType& first = arguments.tensor(values.front());
  const std::size_t dim = arguments.dim(1, first.rank() + 1);
  for (const Value value : values) {
    if (arguments.tensor(value).sizes != first.sizes) arguments.eager_refuses("sizes differ");
    if (arguments.tensor(value).device != first.device) arguments.eager_refuses("tensors of two devices");
  }
  TensorType result = contiguous_result(first, joined_dtype(arguments), first.sizes);
  result.sizes.insert(result.sizes.begin() + static_cast<std::ptrdiff_t>(dim),
                      static_cast<std::int64_t>(values.size()));
  result.strides = stacked_strides(types_of(arguments), result.sizes, dim);
  return {result};
}

std::vector<Value> decompose_stack(Builder& b, const Arguments& arguments) {
  std::vector<Value> values = arguments.values(0);
  const TensorType& result = arguments.result();
  const std::size_t dim = arguments.dim(1, result.rank());
  Dims slice = result.sizes;
  slice[dim] = 1;
  for (Value& value : values) value = b.reshape(b.cast(value, result.dtype), slice);
  return {b.cat(values, dim)};
}

constexpr Op kRows[] = {
    {"aten::cat", Promotion::Common, Composite{infer_cat, decompose_cat}},
    {"aten::stack", Promotion::Common, Composite{infer_stack, decompose_stack}},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> join_rows() { return kRows; }

}  // namespace torchweld::graph
