#include <algorithm>

#include "graph/builder.h"
#include "graph/layout.h"
#include "graph/ops/composites.h"
#include "graph/ops/rows.h"

/// Copies that place elements anew: flip, roll, repeat, tile, pixel_shuffle; and triangles, which keep a part.
namespace torchweld::graph {
namespace {

std::size_t at(std::int64_t dim) { return static_cast<std::size_t>(dim); }

// ---- flip(x, dims)

Dims flipped_dims(const Arguments& arguments) {
  return arguments.ints(1).empty() ? Dims{} : arguments.dims_to_reduce(1, arguments.tensor(0).rank());
}

std::vector<TensorType> infer_flip(const Arguments& arguments) {
  (void)flipped_dims(arguments);
  return {result_like(arguments.tensor(0), arguments.tensor(0).dtype)};
}

std::vector<Value> decompose_flip(Builder& b, const Arguments& arguments) {
  Value x = arguments.value(0);
  for (const std::int64_t dim : flipped_dims(arguments)) {
    const std::int64_t size = b.sizes(x)[at(dim)];
    if (size > 1) x = b.slice(x, at(dim), size - 1, -1, size);
  }
  return {b.copy(x, arguments.result())};
}

// ---- roll(x, shifts, dims): one dim; without dims, the elements in row-major order

/// The dim that is rolled; empty for all of them as one.
std::optional<std::size_t> rolled_dim(const Arguments& arguments) {
  const Dims shifts = arguments.ints(1);
  const Dims dims = arguments.ints(2);
  if (shifts.size() == 1 && dims.empty()) return std::nullopt;
  if (shifts.empty() || shifts.size() != dims.size()) arguments.eager_refuses("as many shifts as dims");
  if (dims.size() > 1) arguments.refuse("op_form", "several dims");
  const std::optional<std::size_t> dim = wrap_dim(dims[0], arguments.tensor(0).rank());
  if (!dim) arguments.eager_refuses("dim " + std::to_string(dims[0]) + " is out of range");
  if (arguments.tensor(0).rank() == 0) arguments.refuse("op_form", "a tensor of no dims");
  return dim;
}

/// Where the first element of the result is, along a dim of `size`.
std::int64_t rolled_start(const Arguments& arguments, std::int64_t size) {
  return (size - arguments.ints(1)[0] % size) % size;
}

std::vector<TensorType> infer_roll(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  TensorType result = contiguous_result(x, x.dtype, x.sizes);
  // On the host eager joins two parts, which keeps channels last.
  const std::optional<std::size_t> dim = rolled_dim(arguments);
  if (dim && numel(x.sizes) == 0) return {result_like(x, x.dtype)};
  if (dim && x.device == Device::host && looks_channels_last(x) && rolled_start(arguments, x.sizes[*dim]) != 0)
    result.strides = channels_last_strides(x.sizes);
  return {result};
}

std::vector<Value> decompose_roll(Builder& b, const Arguments& arguments) {
  const std::optional<std::size_t> dim = rolled_dim(arguments);
  const Dims sizes = arguments.result().sizes;
  Value x = arguments.value(0);
  if (!dim) x = b.reshape(x, {numel(sizes)});
  const std::size_t along = dim.value_or(0);
  const std::int64_t size = b.sizes(x)[along];
  if (size == 0) return {b.copy(arguments.value(0), arguments.result())};
  const std::int64_t start = rolled_start(arguments, size);
  if (start == 0) return {b.copy(arguments.value(0), arguments.result())};
  const Value rolled = b.cat({b.slice(x, along, start, 1, size - start), b.slice(x, along, 0, 1, start)}, along);
  return {b.reshape(rolled, sizes)};
}

// ---- repeat(x, repeats), tile(x, dims)

/// Times that each dim of the result repeats; tile counts fewer dims than the tensor has from the last one on.
Dims repeats_of(const Arguments& arguments) {
  Dims repeats = arguments.ints(1);
  const std::size_t rank = arguments.tensor(0).sizes.size();
  const bool is_tile = arguments.op().name == "aten::tile";
  if (repeats.size() < rank && !is_tile) arguments.eager_refuses("fewer repeats than dims");
  if (repeats.size() < rank) repeats.insert(repeats.begin(), rank - repeats.size(), 1);
  if (std::any_of(repeats.begin(), repeats.end(), [](std::int64_t count) { return count < 0; }))
    arguments.eager_refuses("a negative count");
  return repeats;
}

std::vector<TensorType> infer_repeat(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  Dims sizes = repeats_of(arguments);
  const std::size_t missing = sizes.size() - x.sizes.size();
  for (std::size_t dim = missing; dim < sizes.size(); ++dim)
    if (__builtin_mul_overflow(sizes[dim], x.sizes[dim - missing], &sizes[dim]))
      arguments.refuse("too_large", "a size of more than 2^63");
  return {contiguous_result(x, x.dtype, std::move(sizes))};
}

/// [4, 3] repeated [2, 5] times is [2, 4, 5, 3], reshaped.
std::vector<Value> decompose_repeat(Builder& b, const Arguments& arguments) {
  const Dims repeats = repeats_of(arguments);
  const Value x = arguments.value(0);
  const std::size_t missing = repeats.size() - b.sizes(x).size();
  Dims apart;
  Dims repeated;
  for (std::size_t dim = 0; dim < repeats.size(); ++dim) {
    if (repeats[dim] != 1) {
      apart.push_back(1);
      repeated.push_back(repeats[dim]);
    }
    const std::int64_t size = dim < missing ? 1 : b.sizes(x)[dim - missing];
    apart.push_back(size);
    repeated.push_back(size);
  }
  const Value copy = b.cast(b.expand(b.reshape(x, apart), repeated), b.dtype(x));
  const Value whole = b.copy(copy, contiguous_result(b.tensor(x), b.dtype(x), repeated));
  return {b.reshape(whole, arguments.result().sizes)};
}

// ---- tril(x, diagonal), triu(x, diagonal): by the position in the last two dims

std::vector<TensorType> infer_triangle(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  if (x.rank() < 2) arguments.eager_refuses("fewer than two dims");
  (void)arguments.integer(1);
  return {contiguous_result(x, x.dtype, x.sizes)};
}

Value positions(Builder& b, const TensorType& x, std::int64_t size) {
  return b.arange(0, 1, contiguous_result(x, DType::i64, {size}));
}

template <bool lower>
std::vector<Value> decompose_triangle(Builder& b, const Arguments& arguments) {
  const Value x = arguments.value(0);
  const Dims& sizes = b.sizes(x);
  const std::int64_t rows = sizes[sizes.size() - 2];
  const Value row = b.reshape(positions(b, b.tensor(x), rows), {rows, 1});
  const Value above = b.sub(positions(b, b.tensor(x), sizes.back()), row);
  const Value kept = b.pointwise(lower ? "aten::le.Scalar" : "aten::ge.Scalar", {above, arguments.operand(1)});
  if (b.dtype(x) == DType::b8) return {b.pointwise("aten::logical_and", {x, kept})};
  return {b.pointwise("aten::where.ScalarOther", {kept, x, 0})};
}

// ---- pixel_shuffle(x, factor): [.., C r r, H, W] to [.., C, H r, W r]; pixel_unshuffle is its inverse

struct Shuffle {
  Dims before;  ///< sizes with every axis apart
  Dims order;   ///< a permutation of these
  Dims after;
};

Shuffle shuffle_of(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  const std::int64_t factor = arguments.integer(1);
  const bool inverse = arguments.op().name == "aten::pixel_unshuffle";
  if (x.rank() < 3 || factor <= 0) arguments.eager_refuses("fewer than three dims, or no factor");
  if (factor > 4096) arguments.refuse("too_large", "a factor of more than 4096");
  Dims outer(x.sizes.begin(), x.sizes.end() - 3);
  const std::int64_t* const size = &x.sizes[outer.size()];
  const bool divides = inverse ? size[1] % factor == 0 && size[2] % factor == 0 : size[0] % (factor * factor) == 0;
  if (!divides) arguments.eager_refuses("sizes are not multiples of the factor");
  const auto with = [&](const Dims& inner) {
    Dims sizes = outer;
    sizes.insert(sizes.end(), inner.begin(), inner.end());
    return sizes;
  };
  Dims order(outer.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
  const auto first = static_cast<std::int64_t>(outer.size());
  const Dims inner = inverse ? Dims{0, 2, 4, 1, 3} : Dims{0, 3, 1, 4, 2};
  for (const std::int64_t dim : inner) order.push_back(first + dim);
  if (inverse)
    return {with({size[0], size[1] / factor, factor, size[2] / factor, factor}), order,
            with({size[0] * factor * factor, size[1] / factor, size[2] / factor})};
  return {with({size[0] / (factor * factor), factor, factor, size[1], size[2]}), order,
          with({size[0] / (factor * factor), size[1] * factor, size[2] * factor})};
}

/// On the host eager keeps channels last.
std::vector<TensorType> infer_shuffle(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  if (numel(x.sizes) == 0) arguments.refuse("op_form", "a shuffle of no elements");
  TensorType result = contiguous_result(x, x.dtype, shuffle_of(arguments).after);
  if (x.device == Device::host && looks_channels_last(x)) result.strides = channels_last_strides(result.sizes);
  return {result};
}

std::vector<Value> decompose_shuffle(Builder& b, const Arguments& arguments) {
  const Shuffle shuffle = shuffle_of(arguments);
  const Value apart = b.permute(b.reshape(arguments.value(0), shuffle.before), shuffle.order);
  return {b.reshape(b.copy(apart, contiguous_result(b.tensor(apart), b.dtype(apart), b.sizes(apart))), shuffle.after)};
}

using enum Promotion;

constexpr Op kRows[] = {
    {"aten::flip", Same, Composite{infer_flip, decompose_flip}},
    {"aten::pixel_shuffle", Same, Composite{infer_shuffle, decompose_shuffle}},
    {"aten::pixel_unshuffle", Same, Composite{infer_shuffle, decompose_shuffle}},
    {"aten::repeat", Same, Composite{infer_repeat, decompose_repeat}},
    {"aten::roll", Same, Composite{infer_roll, decompose_roll}},
    {"aten::tile", Same, Composite{infer_repeat, decompose_repeat}},
    {"aten::tril", Same, Composite{infer_triangle, decompose_triangle<true>}},
    {"aten::triu", Same, Composite{infer_triangle, decompose_triangle<false>}},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> rearrangement_rows() { return kRows; }

}  // namespace torchweld::graph
