#include "graph/ops/composites.h"

#include <algorithm>

#include "graph/layout.h"

namespace torchweld::graph {

TensorType contiguous_result(const TensorType& x, DType dtype, Dims sizes) {
  TensorType type{.dtype = dtype, .sizes = std::move(sizes), .strides = {}};
  type.strides = contiguous_strides(type.sizes);
  type.device = x.device;
  return type;
}

TensorType result_like(const TensorType& x, DType dtype) {
  return {.dtype = dtype, .sizes = x.sizes, .strides = preserved_strides(x), .device = x.device};
}

TensorType reduced_result(const TensorType& x, DType dtype, const Dims& dims, bool keep_dims) {
  Dims sizes;
  for (std::int64_t dim = 0; dim < x.rank(); ++dim) {
    const bool reduced = std::binary_search(dims.begin(), dims.end(), dim);
    if (!reduced)
      sizes.push_back(x.sizes[static_cast<std::size_t>(dim)]);
    else if (keep_dims)
      sizes.push_back(1);
  }
  return contiguous_result(x, dtype, std::move(sizes));
}

std::int64_t reduced_count(const Dims& sizes, const Dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= sizes[static_cast<std::size_t>(dim)];
  return count;
}

Value mean_keeping_dims(Builder& b, Value x, const Dims& dims) {
  const auto count = static_cast<double>(reduced_count(b.sizes(x), dims));
  return b.div(b.reduce_keeping_dims(ReductionKind::sum, x, dims), count);
}

Moments moments_keeping_dims(Builder& b, Value x, const Dims& dims, double correction) {
  const Value mean = mean_keeping_dims(b, x, dims);
  const Value deviation = b.sub(x, mean);
  const Value squares = b.reduce_keeping_dims(ReductionKind::sum, b.mul(deviation, deviation), dims);
  const double count = std::max(static_cast<double>(reduced_count(b.sizes(x), dims)) - correction, 0.0);
  return {mean, deviation, b.div(squares, count)};
}

}  // namespace torchweld::graph
