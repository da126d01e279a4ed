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
  bool writes_through_loop = false;         ///< `written` holds what turns of a loop hand on to each other
  bool writes_unknown = false;              ///< calls something that we cannot see into
  bool side_effect = false;                 ///< prints, raises, sets an attribute, draws random numbers
  bool changes_sizes = false;               ///< changes sizes or strides of a tensor in place
};

/// Attributes that some node of `graph` sets: reading them is ordered with side effects.
[[nodiscard]] std::unordered_set<std::string> set_attributes(torch::jit::Graph& graph);

[[nodiscard]] Effects effects_of(torch::jit::Node* node, const std::unordered_set<std::string>& set_attributes);

/// The values that running `node` may read or return: its inputs, outputs, and those of nested nodes.
[[nodiscard]] std::vector<torch::jit::Value*> values_touched_by(torch::jit::Node* node);

}  // namespace torchweld::frontend
