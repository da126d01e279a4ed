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

// ---- hstack(tensors), vstack(tensors), dstack(tensors): cat of tensors that have one, two or three dims at least

/// How a tensor takes part: `sizes`, joined along a dim.
Dims stackable_sizes(const Arguments& arguments, Dims sizes) {
  const std::string_view name = arguments.op().name;
  const std::size_t least = name == "aten::hstack" ? 1 : name == "aten::vstack" ? 2 : 3;
  if (sizes.empty()) sizes = {1};
  if (sizes.size() == 1 && least > 1) sizes.insert(sizes.begin(), 1);
  if (sizes.size() == 2 && least > 2) sizes.push_back(1);
  return sizes;
}

std::size_t stacked_dim(const Arguments& arguments, std::size_t rank) {
  if (arguments.op().name == "aten::vstack" || rank == 1) return 0;
  return arguments.op().name == "aten::hstack" ? 1 : 2;
}

std::vector<TensorType> infer_join_of_parts(const Arguments& arguments) {
  std::vector<TensorType> types = types_of(arguments);
  if (types.empty()) arguments.eager_refuses("no tensors");
  for (TensorType& type : types) {
    const Dims sizes = stackable_sizes(arguments, type.sizes);
    if (sizes == type.sizes) continue;
    type.strides = view_strides(type, sizes).value_or(contiguous_strides(sizes));
    type.sizes = sizes;
  }
  if (std::any_of(types.begin(), types.end(), is_skipped)) arguments.refuse("op_form", "a tensor of no elements");
  const std::size_t dim = stacked_dim(arguments, types.front().sizes.size());
  TensorType result = contiguous_result(types.front(), joined_dtype(arguments), types.front().sizes);
  result.sizes[dim] = 0;
  for (const TensorType& type : types) {
    check_joinable(arguments, types.front(), type, dim);
    result.sizes[dim] += type.sizes[dim];
  }
  result.strides = joined_strides(types, result.sizes);
  return {result};
}

std::vector<Value> decompose_join_of_parts(Builder& b, const Arguments& arguments) {
  std::vector<Value> values = arguments.values(0);
  for (Value& value : values)
    value = b.reshape(b.cast(value, arguments.result().dtype), stackable_sizes(arguments, b.sizes(value)));
  return {b.cat(values, stacked_dim(arguments, arguments.result().sizes.size()))};
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

// ---- constant_pad_nd(x, pad, value), pad(x, pad, mode, value): pairs of sizes, from the last dim on

/// Elements added before and after a dim; negative ones are cut off.
struct Padding {
  std::size_t dim = 0;
  std::int64_t before = 0;
  std::int64_t after = 0;
};

std::vector<Padding> paddings_of(const Arguments& arguments) {
  if (arguments.size() == 4 && arguments.text(2) != "constant")
    arguments.refuse("op_form", "a mode other than constant");
  const Dims pad = arguments.ints(1);
  const std::size_t rank = arguments.tensor(0).sizes.size();
  if (pad.size() % 2 != 0 || pad.size() > 2 * rank)
    arguments.eager_refuses("pad is not a pair for each of the last dims");
  std::vector<Padding> paddings;
  constexpr std::int64_t kLargest = std::int64_t{1} << 48U;  // so that sums of sizes do not overflow
  for (const std::int64_t size : pad)
    if (size > kLargest || size < -kLargest) arguments.refuse("too_large", "pad of " + std::to_string(size));
  for (std::size_t i = 0; i < pad.size() / 2; ++i) paddings.push_back({rank - 1 - i, pad[2 * i], pad[2 * i + 1]});
  return paddings;
}

std::vector<TensorType> infer_pad(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  TensorType result = contiguous_result(x, x.dtype, x.sizes);
  const std::vector<Padding> paddings = paddings_of(arguments);
  for (const Padding& padding : paddings) {
    std::int64_t& size = result.sizes[padding.dim];
    const std::int64_t cut = std::min<std::int64_t>(padding.before, 0) + std::min<std::int64_t>(padding.after, 0);
    size += padding.before + padding.after;
    if (size < 0 || x.sizes[padding.dim] + cut < 0) arguments.eager_refuses("a padded size is negative");
  }
  const bool grows = std::any_of(paddings.begin(), paddings.end(),
                                 [](const Padding& padding) { return padding.before > 0 || padding.after > 0; });
  if (!grows)  // a copy of a part
    result.strides = preserved_strides({.dtype = x.dtype, .sizes = result.sizes, .strides = x.strides});
  else if (looks_channels_last(x))
    result.strides = channels_last_strides(result.sizes);
  else
    result.strides = contiguous_strides(result.sizes);
  return {result};
}

std::vector<Value> decompose_pad(Builder& b, const Arguments& arguments) {
  const Operand& given = arguments.operand(arguments.size() - 1);
  const Operand fill = given.is_none() ? Operand(0) : given;
  Value x = arguments.value(0);
  for (const Padding& padding : paddings_of(arguments)) {
    const std::int64_t start = std::max<std::int64_t>(-padding.before, 0);
    const std::int64_t kept = b.sizes(x)[padding.dim] - start - std::max<std::int64_t>(-padding.after, 0);
    x = b.slice(x, padding.dim, start, 1, kept);
    const auto filled = [&](std::int64_t size) {
      Dims sizes = b.sizes(x);
      sizes[padding.dim] = size;
      return b.full(fill, contiguous_result(b.tensor(x), b.dtype(x), std::move(sizes)));
    };
    std::vector<Value> parts;
    if (padding.before > 0) parts.push_back(filled(padding.before));
    parts.push_back(x);
    if (padding.after > 0) parts.push_back(filled(padding.after));
    if (parts.size() > 1) x = b.cat(parts, padding.dim);
  }
  return {x == arguments.value(0) ? b.copy(x, arguments.result()) : x};
}

constexpr Op kRows[] = {
    {"aten::cat", Promotion::Common, Composite{infer_cat, decompose_cat}},
    {"aten::constant_pad_nd", Promotion::Same, Composite{infer_pad, decompose_pad}},
    {"aten::dstack", Promotion::Common, Composite{infer_join_of_parts, decompose_join_of_parts}},
    {"aten::hstack", Promotion::Common, Composite{infer_join_of_parts, decompose_join_of_parts}},
    {"aten::pad", Promotion::Same, Composite{infer_pad, decompose_pad}},
    {"aten::stack", Promotion::Common, Composite{infer_stack, decompose_stack}},
    {"aten::vstack", Promotion::Common, Composite{infer_join_of_parts, decompose_join_of_parts}},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> join_rows() { return kRows; }

}  // namespace torchweld::graph
