#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fusion/memory_view.h"

namespace torchweld::fusion {

/// Lists of numbers per node, in one array.
struct NodeLists {
  std::vector<std::int32_t> begins;
  std::vector<std::int32_t> items;
  [[nodiscard]] std::span<const std::int32_t> of(std::int32_t node) const {
    const auto at = static_cast<std::size_t>(node);
    return std::span(items).subspan(static_cast<std::size_t>(begins[at]),
                                    static_cast<std::size_t>(begins[at + 1] - begins[at]));
  }
};

[[nodiscard]] bool is_creation(const graph::Node& node);
[[nodiscard]] bool is_creation(const graph::Node& node, graph::CreationKind kind);
[[nodiscard]] bool is_cat(const graph::Node& node);

/// The units of planning: the nodes that are put into groups. Pointwise, reduction and cat nodes that reach an output
/// are units. A view is a way of indexing, and a creation a function of the index: they belong to every group that
/// uses them, and are units only where their result must be written to memory.
struct Units {
  const graph::Graph* graph = nullptr;
  std::vector<std::int32_t> nodes;  ///< ascending
  std::vector<char> is_unit;        ///< per node
  /// Per value: the input, unit result or creation of which it is a view, or the value itself.
  std::vector<graph::Value> base;
  /// Per value: how it is indexed in the memory of its base (a creation counts its elements in row-major order); empty
  /// where one stride per dim cannot say it.
  std::vector<std::optional<MemoryView>> memory;
  NodeLists producers;                            ///< units whose results a unit uses, perhaps through views
  NodeLists consumers;                            ///< the inverse
  std::vector<graph::Value> input_views;          ///< outputs that no unit writes
  std::vector<std::vector<graph::Value>> stored;  ///< per node: outputs that it writes: its result or views of it

  [[nodiscard]] graph::Value base_of(graph::Value value) const { return base[static_cast<std::size_t>(value.index)]; }
  [[nodiscard]] bool unit(std::int32_t node) const { return node >= 0 && is_unit[static_cast<std::size_t>(node)] != 0; }
  /// The unit that computes the memory behind `value`; -1 for an input or a creation.
  [[nodiscard]] std::int32_t unit_behind(graph::Value value) const {
    const std::int32_t node = graph->producer(base_of(value));
    return unit(node) && !is_creation(graph->nodes()[static_cast<std::size_t>(node)]) ? node : -1;
  }
};

/// `copies`: views that are to be units, because a consumer cannot index what they are views of.
[[nodiscard]] Units find_units(const graph::Graph& graph, const std::vector<std::int32_t>& copies = {});

/// The value whose axes index a store of `value`, and the strides of value's memory over its dims: permutes and
/// reshapes above it are undone, so that they need not be computed.
struct StoreSite {
  graph::Value value;
  graph::Dims strides;
};
[[nodiscard]] StoreSite store_site(const Units& units, graph::Value value);

}  // namespace torchweld::fusion
