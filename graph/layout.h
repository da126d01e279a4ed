#pragma once

#include <optional>
#include <span>

#include "graph/types.h"

/// How eager lays out results in memory: rules of at::TensorIterator and of at::view, on sizes and strides alone.
namespace torchweld::graph {

[[nodiscard]] bool is_contiguous(const TensorType& type);
/// Contiguous in the order N H W C; four dims, or five with `rank` 5 (N D H W C).
[[nodiscard]] bool is_channels_last(const TensorType& type, std::size_t rank = 4);
/// Every element has its own place and there are no gaps, in some order of the dims.
[[nodiscard]] bool is_dense(const TensorType& type);

/// Of four or five sizes.
[[nodiscard]] Dims channels_last_strides(const Dims& sizes);

/// The sizes that `operands` broadcast to; empty when they do not.
[[nodiscard]] std::optional<Dims> broadcast_sizes(std::span<const TensorType* const> operands);
/// Strides of the result of a pointwise op, as at::TensorIterator chooses them. `sizes` is what the operands broadcast
/// to; `among_numbers` says that a number takes part as a 0-dim tensor.
[[nodiscard]] Dims pointwise_strides(const Dims& sizes, std::span<const TensorType* const> operands,
                                     bool among_numbers);
/// Strides that preserve a dense layout and close the gaps of another, as at::empty_like does.
[[nodiscard]] Dims preserved_strides(const TensorType& type);
/// Row-major strides, or channels-last ones where `type` looks so (at::Tensor::suggest_memory_format).
[[nodiscard]] Dims suggested_strides(const TensorType& type);
[[nodiscard]] bool looks_channels_last(const TensorType& type);
/// Strides of `type` viewed as `sizes` without a copy; empty when eager refuses that view.
[[nodiscard]] std::optional<Dims> view_strides(const TensorType& type, const Dims& sizes);

}  // namespace torchweld::graph
