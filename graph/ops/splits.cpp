#include <algorithm>

#include "graph/builder.h"
#include "graph/ops/composites.h"
#include "graph/ops/rows.h"

/// Views of a part: slice, select, and the ops that cut a tensor into several.
namespace torchweld::graph {
namespace {

/// A part of a tensor along one dim.
struct Part {
  std::size_t dim = 0;
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t size = 0;
  bool drop = false;  ///< the dim has size 1 and goes away
};

/// The largest power of two that divides `bytes`, at most `limit`.
int alignment_of(std::int64_t bytes, int limit) {
  int alignment = limit;
  while (bytes % alignment != 0) alignment /= 2;
  return alignment;
}

TensorType part_type(TensorType type, const Part& part) {
  const std::int64_t offset = part.start * type.strides[part.dim] * size_of(type.dtype);
  type.alignment = alignment_of(offset, type.alignment);
  type.sizes[part.dim] = part.size;
  type.strides[part.dim] *= part.step;
  if (part.drop) {
    type.sizes.erase(type.sizes.begin() + static_cast<std::ptrdiff_t>(part.dim));
    type.strides.erase(type.strides.begin() + static_cast<std::ptrdiff_t>(part.dim));
  }
  return type;
}

using PartsOf = std::vector<Part> (*)(const Arguments&);

template <PartsOf parts_of>
std::vector<TensorType> infer_parts(const Arguments& arguments) {
  std::vector<TensorType> types;
  for (const Part& part : parts_of(arguments)) types.push_back(part_type(arguments.tensor(0), part));
  return types;
}

template <PartsOf parts_of>
std::vector<Value> decompose_parts(Builder& b, const Arguments& arguments) {
  std::vector<Value> values;
  for (const Part& part : parts_of(arguments)) {
    const Value slice = b.slice(arguments.value(0), part.dim, part.start, part.step, part.size);
    values.push_back(part.drop ? b.reshape(slice, arguments.result(values.size()).sizes) : slice);
  }
  return values;
}

template <PartsOf parts_of>
constexpr Composite kParts = view_composite(infer_parts<parts_of>, decompose_parts<parts_of>);

std::size_t dim_of_dimensioned(const Arguments& arguments, std::size_t i) {
  if (arguments.tensor(0).rank() == 0) arguments.eager_refuses("a tensor of no dims");
  return arguments.dim(i, arguments.tensor(0).rank());
}

std::int64_t quotient_rounded_up(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

/// A bound of a slice counted from either end, inside the dim.
std::int64_t bound(const Arguments& arguments, std::size_t i, std::int64_t otherwise, std::int64_t size) {
  std::int64_t position = arguments.is_none(i) ? otherwise : arguments.integer(i);
  if (position < 0) position += size;
  return std::clamp<std::int64_t>(position, 0, size);
}

/// slice.Tensor(x, dim, start, end, step)
std::vector<Part> slice_parts(const Arguments& arguments) {
  const std::size_t dim = dim_of_dimensioned(arguments, 1);
  const std::int64_t size = arguments.tensor(0).sizes[dim];
  const std::int64_t step = arguments.integer(4);
  if (step <= 0) arguments.eager_refuses("step is not positive");
  const std::int64_t start = bound(arguments, 2, 0, size);
  const std::int64_t end = std::max(bound(arguments, 3, size, size), start);
  return {{dim, start, step, quotient_rounded_up(end - start, step)}};
}

/// select.int(x, dim, index)
std::vector<Part> select_parts(const Arguments& arguments) {
  const std::size_t dim = dim_of_dimensioned(arguments, 1);
  const std::int64_t size = arguments.tensor(0).sizes[dim];
  const std::int64_t index = arguments.integer(2);
  if (index < -size || index >= size) arguments.eager_refuses("index " + std::to_string(index) + " is out of range");
  return {{dim, index < 0 ? index + size : index, 1, 1, true}};
}

/// narrow(x, dim, start, length)
std::vector<Part> narrow_parts(const Arguments& arguments) {
  const std::size_t dim = dim_of_dimensioned(arguments, 1);
  const std::int64_t size = arguments.tensor(0).sizes[dim];
  std::int64_t start = arguments.integer(2);
  const std::int64_t length = arguments.integer(3);
  if (start < -size || start > size) arguments.eager_refuses("start is out of range");
  if (start < 0) start += size;
  if (length < 0 || length > size - start) arguments.eager_refuses("length is out of range");
  return {{dim, start, 1, length}};
}

/// Parts that a call asks for, whatever the size of the dim.
std::int64_t count_of_parts(const Arguments& arguments, std::size_t i) {
  constexpr std::int64_t kMost = 1 << 16;
  const std::int64_t count = arguments.integer(i);
  if (count <= 0) arguments.eager_refuses("a count that is not positive");
  if (count > kMost) arguments.refuse("too_large", "more than 2^16 parts");
  return count;
}

std::vector<Part> parts_of_length(std::size_t dim, std::int64_t size, std::int64_t length) {
  std::vector<Part> parts;
  for (std::int64_t start = 0; start < size; start += length)
    parts.push_back({dim, start, 1, std::min(length, size - start)});
  if (parts.empty()) parts.push_back({dim, 0, 1, 0});
  return parts;
}

/// split.Tensor(x, split_size, dim)
std::vector<Part> split_parts(const Arguments& arguments) {
  const std::size_t dim = dim_of_dimensioned(arguments, 2);
  const std::int64_t size = arguments.tensor(0).sizes[dim];
  const std::int64_t length = arguments.integer(1);
  if (length < 0 || (length == 0 && size != 0)) arguments.eager_refuses("split_size is not positive");
  return parts_of_length(dim, size, std::max<std::int64_t>(length, 1));
}

/// chunk(x, chunks, dim)
std::vector<Part> chunk_parts(const Arguments& arguments) {
  const std::size_t dim = dim_of_dimensioned(arguments, 2);
  const std::int64_t size = arguments.tensor(0).sizes[dim];
  const std::int64_t chunks = count_of_parts(arguments, 1);
  if (size == 0) return std::vector<Part>(static_cast<std::size_t>(chunks), Part{dim, 0, 1, 0});
  return parts_of_length(dim, size, quotient_rounded_up(size, chunks));
}

/// split_with_sizes(x, sizes, dim), split.sizes(x, sizes, dim)
std::vector<Part> split_sizes_parts(const Arguments& arguments) {
  const std::size_t dim = dim_of_dimensioned(arguments, 2);
  std::vector<Part> parts;
  std::int64_t start = 0;
  for (const std::int64_t length : arguments.ints(1)) {
    if (length < 0 || length > arguments.tensor(0).sizes[dim] - start)
      arguments.eager_refuses("split sizes do not add up to the dim");
    parts.push_back({dim, start, 1, length});
    start += length;
  }
  if (start != arguments.tensor(0).sizes[dim]) arguments.eager_refuses("split sizes do not add up to the dim");
  return parts;
}

/// tensor_split.sections(x, sections, dim): the first parts are longer by one where the dim is no multiple.
std::vector<Part> section_parts(const Arguments& arguments) {
  const std::size_t dim = dim_of_dimensioned(arguments, 2);
  const std::int64_t size = arguments.tensor(0).sizes[dim];
  const std::int64_t sections = count_of_parts(arguments, 1);
  std::vector<Part> parts;
  std::int64_t start = 0;
  for (std::int64_t i = 0; i < sections; ++i) {
    const std::int64_t length = size / sections + (i < size % sections ? 1 : 0);
    parts.push_back({dim, start, 1, length});
    start += length;
  }
  return parts;
}

/// tensor_split.indices(x, indices, dim): slices between the indices
std::vector<Part> index_parts(const Arguments& arguments) {
  const std::size_t dim = dim_of_dimensioned(arguments, 2);
  const std::int64_t size = arguments.tensor(0).sizes[dim];
  const auto inside = [&](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + size : i, 0, size); };
  Dims indices = arguments.ints(1);
  indices.push_back(size);
  std::vector<Part> parts;
  std::int64_t start = 0;
  for (const std::int64_t index : indices) {
    parts.push_back({dim, start, 1, std::max<std::int64_t>(inside(index) - start, 0)});
    start = inside(index);
  }
  return parts;
}

/// unbind.int(x, dim)
std::vector<Part> unbind_parts(const Arguments& arguments) {
  const std::size_t dim = dim_of_dimensioned(arguments, 1);
  std::vector<Part> parts;
  for (std::int64_t i = 0; i < arguments.tensor(0).sizes[dim]; ++i) parts.push_back({dim, i, 1, 1, true});
  return parts;
}

using enum Promotion;

constexpr Op kRows[] = {
    {"aten::chunk", Same, kParts<chunk_parts>},
    {"aten::narrow", Same, kParts<narrow_parts>},
    {"aten::select.int", Same, kParts<select_parts>},
    {"aten::slice.Tensor", Same, kParts<slice_parts>},
    {"aten::split.Tensor", Same, kParts<split_parts>},
    {"aten::split.sizes", Same, kParts<split_sizes_parts>},
    {"aten::split_with_sizes", Same, kParts<split_sizes_parts>},
    {"aten::tensor_split.indices", Same, kParts<index_parts>},
    {"aten::tensor_split.sections", Same, kParts<section_parts>},
    {"aten::unbind.int", Same, kParts<unbind_parts>},
    {"aten::unsafe_chunk", Same, kParts<chunk_parts>},
    {"aten::unsafe_split.Tensor", Same, kParts<split_parts>},
    {"aten::unsafe_split_with_sizes", Same, kParts<split_sizes_parts>},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> split_rows() { return kRows; }

}  // namespace torchweld::graph
