#pragma once

#include <string>
#include <unordered_set>
#include <vector>

namespace torch::jit {
class AliasDb;
struct Graph;
struct Node;
struct Value;
}  // namespace torch::jit

namespace torchweld::frontend {

/// What running a node does to memory and to the world, nested blocks included.
struct Effects {
  std::vector<torch::jit::Value*> written;  ///< values written in place
  bool writes_unknown = false;              ///< calls something that we cannot see into
  bool side_effect = false;                 ///< prints, raises, sets an attribute, draws random numbers
  bool changes_sizes = false;               ///< changes sizes or strides of a tensor in place
};

/// Prints, raises, or keeps a value where a later call sees it.
[[nodiscard]] bool has_side_effects(const torch::jit::Node& node);

/// What must be known of a whole graph before the effects of its nodes are.
struct Surroundings {
  bool sizes_change = false;                       ///< some node changes sizes or strides in place
  std::unordered_set<std::string> set_attributes;  ///< some node sets them: reading them is ordered with side effects
  /// For each mutable value that a loop hands on: what it is before, in and after the loop. These may be one object (a
  /// loop may make no turn, and a turn may return what it got), which alias analysis does not see.
  std::vector<std::vector<torch::jit::Value*>> carried;
};
[[nodiscard]] Surroundings surroundings_in(torch::jit::Graph& graph);

[[nodiscard]] Effects effects_of(torch::jit::Node* node, const Surroundings& surroundings);

/// The values that running `node` may read or return: its inputs, outputs, and those of nested nodes.
[[nodiscard]] std::vector<torch::jit::Value*> values_touched_by(torch::jit::Node* node);

}  // namespace torchweld::frontend
