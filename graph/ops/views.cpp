#include <algorithm>
#include <numeric>

#include "graph/builder.h"
#include "graph/layout.h"
#include "graph/ops/composites.h"
#include "graph/ops/rows.h"

/// Views that keep every element: permutations, reshapes, broadcasts.
namespace torchweld::graph {
namespace {

std::size_t at(std::int64_t dim) { return static_cast<std::size_t>(dim); }

// ---- permutations

Dims identity_order(std::int64_t rank) {
  Dims order(at(rank));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// permute(x, dims)
Dims permute_order(const Arguments& arguments) {
  const std::int64_t rank = arguments.tensor(0).rank();
  Dims order = arguments.ints(1);
  std::vector<bool> seen(at(rank));
  if (order.size() != seen.size()) arguments.eager_refuses("dims of another rank");
  for (std::int64_t& dim : order) {
    const std::optional<std::size_t> wrapped = wrap_dim(dim, rank);
    if (!wrapped || seen[*wrapped]) arguments.eager_refuses("dims are not a permutation");
    seen[*wrapped] = true;
    dim = static_cast<std::int64_t>(*wrapped);
  }
  return order;
}

/// transpose(x, dim0, dim1)
Dims transpose_order(const Arguments& arguments) {
  const std::int64_t rank = arguments.tensor(0).rank();
  Dims order = identity_order(rank);
  const std::size_t first = arguments.dim(1, rank);
  const std::size_t second = arguments.dim(2, rank);
  if (rank > 0) std::swap(order[first], order[second]);
  return order;
}

/// numpy_T(x)
Dims reversed_order(const Arguments& arguments) {
  Dims order = identity_order(arguments.tensor(0).rank());
  std::reverse(order.begin(), order.end());
  return order;
}

/// t(x)
Dims t_order(const Arguments& arguments) {
  if (arguments.tensor(0).rank() > 2) arguments.eager_refuses("more than two dims");
  return reversed_order(arguments);
}

/// mT(x)
Dims matrix_order(const Arguments& arguments) {
  Dims order = identity_order(arguments.tensor(0).rank());
  if (order.size() == 1) arguments.eager_refuses("one dim");
  if (order.size() > 1) std::iter_swap(order.end() - 1, order.end() - 2);
  return order;
}

/// movedim(x, source, destination): ints or lists
Dims movedim_order(const Arguments& arguments) {
  const std::int64_t rank = arguments.tensor(0).rank();
  const Dims source = arguments.ints(1);
  const Dims destination = arguments.ints(2);
  if (source.size() != destination.size()) arguments.eager_refuses("as many sources as destinations");
  Dims order(at(rank), -1);
  std::vector<bool> moved(at(rank));
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::optional<std::size_t> from = wrap_dim(source[i], rank);
    const std::optional<std::size_t> to = wrap_dim(destination[i], rank);
    if (!from || !to || rank == 0 || moved[*from] || order[*to] >= 0) arguments.eager_refuses("dims repeat");
    order[*to] = static_cast<std::int64_t>(*from);
    moved[*from] = true;
  }
  std::int64_t next = 0;
  for (std::int64_t& dim : order) {
    if (dim >= 0) continue;
    while (moved[at(next)]) ++next;
    dim = next++;
  }
  return order;
}

template <Dims (*order_of)(const Arguments&)>
std::vector<TensorType> infer_permutation(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  const Dims order = order_of(arguments);
  TensorType result = x;
  for (std::size_t i = 0; i < order.size(); ++i) {
    result.sizes[i] = x.sizes[at(order[i])];
    result.strides[i] = x.strides[at(order[i])];
  }
  return {result};
}

template <Dims (*order_of)(const Arguments&)>
std::vector<Value> decompose_permutation(Builder& b, const Arguments& arguments) {
  return {b.permute(arguments.value(0), order_of(arguments))};
}

template <Dims (*order_of)(const Arguments&)>
constexpr Composite kPermutation = view_composite(infer_permutation<order_of>, decompose_permutation<order_of>);

// ---- reshapes: the decomposition only needs the result's sizes

std::vector<Value> decompose_reshape(Builder& b, const Arguments& arguments) {
  return {b.reshape(arguments.value(0), arguments.result().sizes)};
}

/// `sizes` with -1 replaced by what makes up the elements of `x`.
Dims inferred_sizes(const Arguments& arguments, std::int64_t elements, Dims sizes) {
  std::int64_t product = 1;
  std::int64_t* open = nullptr;
  for (std::int64_t& size : sizes) {
    if (size < -1 || (size == -1 && open)) arguments.eager_refuses("sizes are not valid");
    if (size == -1)
      open = &size;
    else if (__builtin_mul_overflow(product, size, &product))
      arguments.refuse("too_large", "sizes of more than 2^63 elements");
  }
  if (open) {
    if (product == 0 || elements % product != 0) arguments.eager_refuses("sizes do not divide the elements");
    *open = elements / product;
    product = elements;
  }
  if (product != elements) arguments.eager_refuses("sizes of another number of elements");
  return sizes;
}

/// Without a copy, or refused as eager does.
TensorType viewed(const Arguments& arguments, Dims sizes) {
  TensorType result = arguments.tensor(0);
  std::optional<Dims> strides = view_strides(result, sizes);
  if (!strides) arguments.eager_refuses("a view of " + to_text(Type(result)) + " needs a copy");
  result.sizes = std::move(sizes);
  result.strides = std::move(*strides);
  return result;
}

/// A view where one exists, else a copy.
TensorType reshaped(const Arguments& arguments, Dims sizes) {
  const TensorType& x = arguments.tensor(0);
  if (view_strides(x, sizes)) return viewed(arguments, std::move(sizes));
  return contiguous_result(x, x.dtype, std::move(sizes));
}

std::vector<TensorType> infer_view(const Arguments& arguments) {
  return {viewed(arguments, inferred_sizes(arguments, numel(arguments.tensor(0).sizes), arguments.ints(1)))};
}

std::vector<TensorType> infer_reshape(const Arguments& arguments) {
  return {reshaped(arguments, inferred_sizes(arguments, numel(arguments.tensor(0).sizes), arguments.ints(1)))};
}

std::vector<TensorType> infer_view_as(const Arguments& arguments) {
  return {viewed(arguments, inferred_sizes(arguments, numel(arguments.tensor(0).sizes), arguments.tensor(1).sizes))};
}

std::vector<TensorType> infer_reshape_as(const Arguments& arguments) {
  return {reshaped(arguments, inferred_sizes(arguments, numel(arguments.tensor(0).sizes), arguments.tensor(1).sizes))};
}

/// flatten.using_ints(x, start_dim, end_dim)
std::vector<TensorType> infer_flatten(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  const std::size_t start = arguments.dim(1, x.rank());
  const std::size_t end = arguments.dim(2, x.rank());
  if (start > end) arguments.eager_refuses("start_dim comes after end_dim");
  if (x.rank() == 0) return {reshaped(arguments, {1})};
  if (start == end) return {x};
  Dims sizes(x.sizes.begin(), x.sizes.begin() + static_cast<std::ptrdiff_t>(start));
  sizes.push_back(1);
  for (std::size_t dim = start; dim <= end; ++dim) sizes.back() *= x.sizes[dim];
  sizes.insert(sizes.end(), x.sizes.begin() + static_cast<std::ptrdiff_t>(end) + 1, x.sizes.end());
  return {reshaped(arguments, std::move(sizes))};
}

/// unflatten.int(x, dim, sizes)
std::vector<TensorType> infer_unflatten(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  const std::size_t dim = arguments.dim(1, x.rank());
  if (x.rank() == 0 || arguments.ints(2).empty()) arguments.eager_refuses("nothing to unflatten");
  const Dims inner = inferred_sizes(arguments, x.sizes[dim], arguments.ints(2));
  Dims sizes = x.sizes;
  const auto place = sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(dim));
  sizes.insert(place, inner.begin(), inner.end());
  return {viewed(arguments, std::move(sizes))};
}

/// unsqueeze(x, dim)
std::vector<TensorType> infer_unsqueeze(const Arguments& arguments) {
  TensorType result = arguments.tensor(0);
  const std::size_t dim = arguments.dim(1, result.rank() + 1);
  const auto place = static_cast<std::ptrdiff_t>(dim);
  const std::int64_t stride = dim < result.sizes.size() ? result.sizes[dim] * result.strides[dim] : 1;
  result.sizes.insert(result.sizes.begin() + place, 1);
  result.strides.insert(result.strides.begin() + place, stride);
  return {result};
}

/// squeeze(x), squeeze.dim(x, dim), squeeze.dims(x, dims)
std::vector<TensorType> infer_squeeze(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  const bool all = arguments.size() == 1;
  const bool none = !all && arguments.ints(1).empty();
  const Dims dims = all || none ? Dims{} : arguments.dims_to_reduce(1, x.rank());
  TensorType result = x;
  result.sizes.clear();
  result.strides.clear();
  for (std::size_t dim = 0; dim < x.sizes.size(); ++dim) {
    const bool asked = all || std::binary_search(dims.begin(), dims.end(), static_cast<std::int64_t>(dim));
    if (asked && x.sizes[dim] == 1) continue;
    result.sizes.push_back(x.sizes[dim]);
    result.strides.push_back(x.strides[dim]);
  }
  return {result};
}

// ---- broadcasts

TensorType expanded(const Arguments& arguments, Dims sizes) {
  TensorType result = arguments.tensor(0);
  if (sizes.size() < result.sizes.size()) arguments.eager_refuses("fewer sizes than dims");
  const std::size_t missing = sizes.size() - result.sizes.size();
  Dims strides(sizes.size(), 0);
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const std::int64_t own = i < missing ? 1 : result.sizes[i - missing];
    // A new dim has the stride that a dim of size 1 would have there.
    const std::int64_t stride =
        i >= missing ? result.strides[i - missing] : (i + 1 < sizes.size() ? sizes[i + 1] * strides[i + 1] : 1);
    if (sizes[i] == -1 && i >= missing) sizes[i] = own;
    if (sizes[i] < 0 || (own != sizes[i] && own != 1)) arguments.eager_refuses("sizes do not broadcast");
    strides[i] = own == sizes[i] ? stride : 0;
  }
  result.sizes = std::move(sizes);
  result.strides = std::move(strides);
  return result;
}

/// expand(x, sizes, implicit), broadcast_to(x, sizes)
std::vector<TensorType> infer_expand(const Arguments& arguments) { return {expanded(arguments, arguments.ints(1))}; }
std::vector<TensorType> infer_expand_as(const Arguments& arguments) {
  return {expanded(arguments, arguments.tensor(1).sizes)};
}

std::vector<Value> decompose_expand(Builder& b, const Arguments& arguments) {
  return {b.expand(arguments.value(0), arguments.result().sizes)};
}

using enum Promotion;

constexpr Op kRows[] = {
    {"aten::broadcast_to", Same, view_composite(infer_expand, decompose_expand)},
    {"aten::expand", Same, view_composite(infer_expand, decompose_expand)},
    {"aten::expand_as", Same, view_composite(infer_expand_as, decompose_expand)},
    {"aten::flatten.using_ints", Same, view_composite(infer_flatten, decompose_reshape)},
    {"aten::mT", Same, kPermutation<matrix_order>},
    {"aten::movedim.int", Same, kPermutation<movedim_order>},
    {"aten::movedim.intlist", Same, kPermutation<movedim_order>},
    {"aten::numpy_T", Same, kPermutation<reversed_order>},
    {"aten::permute", Same, kPermutation<permute_order>},
    {"aten::reshape", Same, view_composite(infer_reshape, decompose_reshape)},
    {"aten::reshape_as", Same, view_composite(infer_reshape_as, decompose_reshape)},
    {"aten::squeeze", Same, view_composite(infer_squeeze, decompose_reshape)},
    {"aten::squeeze.dim", Same, view_composite(infer_squeeze, decompose_reshape)},
    {"aten::squeeze.dims", Same, view_composite(infer_squeeze, decompose_reshape)},
    {"aten::swapaxes", Same, kPermutation<transpose_order>},
    {"aten::swapdims", Same, kPermutation<transpose_order>},
    {"aten::t", Same, kPermutation<t_order>},
    {"aten::transpose.int", Same, kPermutation<transpose_order>},
    {"aten::unflatten.int", Same, view_composite(infer_unflatten, decompose_reshape)},
    {"aten::unsqueeze", Same, view_composite(infer_unsqueeze, decompose_reshape)},
    {"aten::view", Same, view_composite(infer_view, decompose_reshape)},
    {"aten::view_as", Same, view_composite(infer_view_as, decompose_reshape)},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> view_rows() { return kRows; }

}  // namespace torchweld::graph
