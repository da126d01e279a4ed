#include "graph/layout.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace torchweld::graph {
namespace {

std::size_t rank_of(const TensorType& type) { return type.sizes.size(); }

/// True when walking `order`, fastest dim first, meets each stride where the elements before end.
bool follows(const TensorType& type, std::span<const std::size_t> order) {
  std::int64_t expected = 1;
  for (const std::size_t dim : order) {
    if (type.sizes[dim] == 1) continue;
    if (type.strides[dim] != expected) return false;
    expected *= type.sizes[dim];
  }
  return true;
}

/// The dims fastest first: channels, then the spatial dims, then the batch.
std::span<const std::size_t> channels_last_order(std::size_t rank) {
  static constexpr std::array<std::size_t, 4> kFour{1, 3, 2, 0};
  static constexpr std::array<std::size_t, 5> kFive{1, 4, 3, 2, 0};
  return rank == 5 ? std::span<const std::size_t>(kFive) : kFour;
}

/// Strides of `sizes` packed in `order`, fastest dim first.
Dims packed_strides(const Dims& sizes, std::span<const std::size_t> order) {
  Dims strides(sizes.size());
  std::uint64_t stride = 1;  // wraps, as in numel()
  for (const std::size_t dim : order) {
    strides[dim] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(sizes[dim]);
  }
  return strides;
}

/// The stride of `operand` along dim `dim` of a domain of rank `rank`; 0 where it is broadcast.
std::int64_t stride_in_domain(const TensorType& operand, const Dims& sizes, std::size_t dim) {
  const std::size_t missing = sizes.size() - rank_of(operand);
  if (dim < missing) return 0;
  const bool broadcast = operand.sizes[dim - missing] == 1 && sizes[dim] != 1;
  return broadcast ? 0 : operand.strides[dim - missing];
}

/// at::TensorIterator's order of two dims: positive when `a` comes after (is slower than) `b`, 0 when open.
int compare_dims(const Dims& sizes, std::span<const TensorType* const> operands, std::size_t a, std::size_t b) {
  for (const TensorType* operand : operands) {
    const std::int64_t stride_a = stride_in_domain(*operand, sizes, a);
    const std::int64_t stride_b = stride_in_domain(*operand, sizes, b);
    if (stride_a == 0 || stride_b == 0) continue;
    if (stride_a != stride_b) return stride_a < stride_b ? -1 : 1;
    if (sizes[a] > sizes[b]) return 1;
  }
  return 0;
}

/// The dims fastest first: an insertion sort that leaves open comparisons where they are, as at::TensorIterator does.
std::vector<std::size_t> iteration_order(const Dims& sizes, std::span<const TensorType* const> operands) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  for (std::size_t i = 1; i < order.size(); ++i) {
    std::size_t moving = i;
    for (std::size_t other = i; other-- > 0;) {
      const int comparison = compare_dims(sizes, operands, order[other], order[moving]);
      if (comparison < 0) break;
      if (comparison == 0) continue;
      std::swap(order[other], order[moving]);
      moving = other;
    }
  }
  return order;
}

}  // namespace

bool is_contiguous(const TensorType& type) {
  if (numel(type.sizes) == 0) return true;
  std::int64_t expected = 1;
  for (std::size_t dim = rank_of(type); dim-- > 0;) {
    if (type.sizes[dim] == 1) continue;
    if (type.strides[dim] != expected) return false;
    expected *= type.sizes[dim];
  }
  return true;
}

bool is_channels_last(const TensorType& type, std::size_t rank) {
  return rank_of(type) == rank && follows(type, channels_last_order(rank));
}

Dims channels_last_strides(const Dims& sizes) { return packed_strides(sizes, channels_last_order(sizes.size())); }

bool looks_channels_last(const TensorType& type) {
  const std::size_t rank = rank_of(type);
  if ((rank != 4 && rank != 5) || type.strides[1] == 0) return false;
  std::int64_t least = 0;
  for (const std::size_t dim : channels_last_order(rank)) {
    if (type.sizes[dim] == 0 || type.strides[dim] < least) return false;
    if (dim == 0 && least == type.strides[1]) return false;  // N111 is taken for row-major
    least = type.strides[dim] * std::max<std::int64_t>(type.sizes[dim], 1);
  }
  return true;
}

Dims suggested_strides(const TensorType& type) {
  return looks_channels_last(type) ? channels_last_strides(type.sizes) : contiguous_strides(type.sizes);
}

bool is_dense(const TensorType& type) {
  if (is_contiguous(type)) return true;
  std::vector<std::size_t> order(rank_of(type));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t dim) { return type.sizes[dim] < 2; });
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return type.strides[a] < type.strides[b]; });
  return follows(type, order);
}

std::optional<Dims> broadcast_sizes(std::span<const TensorType* const> operands) {
  Dims sizes;
  for (const TensorType* operand : operands) {
    if (rank_of(*operand) > sizes.size()) sizes.insert(sizes.begin(), rank_of(*operand) - sizes.size(), 1);
    const std::size_t missing = sizes.size() - rank_of(*operand);
    for (std::size_t dim = 0; dim < rank_of(*operand); ++dim) {
      std::int64_t& size = sizes[dim + missing];
      const std::int64_t own = operand->sizes[dim];
      if (size != own && size != 1 && own != 1) return std::nullopt;
      if (own != 1) size = own;
    }
  }
  return sizes;
}

Dims pointwise_strides(const Dims& sizes, std::span<const TensorType* const> operands, bool among_numbers) {
  const auto all = [&](auto holds) { return std::all_of(operands.begin(), operands.end(), holds); };
  const bool same_shape = all([&](const TensorType* type) { return type->sizes == sizes; });
  if (same_shape && !(among_numbers && !sizes.empty())) {
    if (all([](const TensorType* type) { return is_contiguous(*type); })) return contiguous_strides(sizes);
    if (all([](const TensorType* type) { return is_channels_last(*type); })) return channels_last_strides(sizes);
    const Dims& strides = operands.front()->strides;
    if (all([&](const TensorType* type) { return type->strides == strides; }) && is_dense(*operands.front()))
      return strides;
  }
  const std::vector<std::size_t> order = iteration_order(sizes, operands);
  const bool row_major = std::is_sorted(order.rbegin(), order.rend());
  return row_major ? contiguous_strides(sizes) : packed_strides(sizes, order);
}

Dims preserved_strides(const TensorType& type) {
  if (is_dense(type)) return type.strides;
  const TensorType* only = &type;
  return pointwise_strides(type.sizes, {&only, 1}, false);
}

std::optional<Dims> view_strides(const TensorType& type, const Dims& sizes) {
  if (numel(type.sizes) == 0) {
    if (type.sizes == sizes) return type.strides;
    return contiguous_strides(sizes);
  }
  Dims strides(sizes.size());
  auto view_dim = static_cast<std::int64_t>(sizes.size()) - 1;
  std::int64_t base_stride = type.strides.empty() ? 1 : type.strides.back();
  std::int64_t chunk = 1;       // elements of the dims of `type` that one stride spans
  std::int64_t view_chunk = 1;  // elements of the dims of `sizes` that fill it
  for (std::size_t dim = rank_of(type); dim-- > 0;) {
    chunk *= type.sizes[dim];
    const bool ends = dim == 0 || (type.sizes[dim - 1] != 1 && type.strides[dim - 1] != chunk * base_stride);
    if (!ends) continue;
    while (view_dim >= 0 && (view_chunk < chunk || sizes[static_cast<std::size_t>(view_dim)] == 1)) {
      strides[static_cast<std::size_t>(view_dim)] = view_chunk * base_stride;
      view_chunk *= sizes[static_cast<std::size_t>(view_dim)];
      --view_dim;
    }
    if (view_chunk != chunk) return std::nullopt;
    if (dim > 0) {
      base_stride = type.strides[dim - 1];
      chunk = 1;
      view_chunk = 1;
    }
  }
  if (view_dim != -1) {  // a 0-dim tensor viewed with dims of size 1
    if (!type.sizes.empty()) return std::nullopt;
    return Dims(sizes.size(), 1);
  }
  return strides;
}

}  // namespace torchweld::graph
