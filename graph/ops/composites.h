#pragma once

#include <optional>

#include "graph/arguments.h"
#include "graph/builder.h"

/// Pieces that several families of composites share.
namespace torchweld::graph {

/// A result of its own memory, row-major, on the device of `x`.
[[nodiscard]] TensorType contiguous_result(const TensorType& x, DType dtype, Dims sizes);
/// A result that keeps the layout of `x` (at::empty_like).
[[nodiscard]] TensorType result_like(const TensorType& x, DType dtype);
/// `x` less `dims`, or with size 1 in their place.
[[nodiscard]] TensorType reduced_result(const TensorType& x, DType dtype, const Dims& dims, bool keep_dims);

/// Elements of `x` that each result of a reduction over `dims` is made of.
[[nodiscard]] std::int64_t reduced_count(const Dims& sizes, const Dims& dims);

/// Mean over `dims`, each kept with size 1; `x` is of a compute dtype.
[[nodiscard]] Value mean_keeping_dims(Builder& b, Value x, const Dims& dims);
/// Deviation of `x` from its mean over `dims`, and the mean square of that with `correction` less elements.
struct Moments {
  Value mean;
  Value deviation;
  Value variance;
};
[[nodiscard]] Moments moments_keeping_dims(Builder& b, Value x, const Dims& dims, double correction);

}  // namespace torchweld::graph
