#pragma once

#include <cstdint>
#include <optional>

#include "graph/graph.h"
#include "graph/op.h"

namespace torchweld::fusion {

/// How a value that lives in memory, or a view of it, is indexed: element = offset + sum of strides * index.
struct MemoryView {
  std::int64_t offset = 0;
  graph::Dims strides;  ///< one per dim of the value
};

/// The view of `source` that `node` (of class view) makes; empty for a reshape that one stride per dim cannot say.
[[nodiscard]] std::optional<MemoryView> apply_view(const graph::Graph& graph, const graph::Node& node,
                                                   const MemoryView& source);

/// Strides that index the same memory as `new_sizes`; empty when one stride per dim cannot.
[[nodiscard]] std::optional<graph::Dims> strides_of_reshape(const graph::Dims& sizes, const graph::Dims& strides,
                                                            const graph::Dims& new_sizes);

/// Strides over the dims of a view's source that index what `strides` index over its own; only for a permute and a
/// reshape that keeps one stride per dim.
[[nodiscard]] std::optional<graph::Dims> strides_of_source(const graph::Graph& graph, const graph::Node& node,
                                                           const graph::Dims& strides);

[[nodiscard]] const graph::View* view_of(const graph::Node& node);
/// The value that a view or reduction is applied to.
[[nodiscard]] graph::Value source_of(const graph::Node& node);
/// A literal int, or a list of them, among a node's operands.
[[nodiscard]] std::int64_t int_of(const graph::Operand& operand);
[[nodiscard]] graph::Dims ints_of(const graph::Operand& operand);

}  // namespace torchweld::fusion
