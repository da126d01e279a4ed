#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/effects.h"
#include "frontend/supported.h"

namespace torch::jit {
struct Block;
}

namespace torchweld::frontend {

/// The nodes of one block by position, and which must stay before which. A node that owns blocks counts as one node
/// that does all that its blocks do.
struct Dependences {
  using Edge = std::pair<int, int>;  ///< positions, earlier first
  std::vector<torch::jit::Node*> nodes;
  std::unordered_map<const torch::jit::Node*, int> position;
  std::vector<Edge> data;    ///< producer to consumer
  std::vector<Edge> memory;  ///< between a node that writes and a node that touches the same memory
  std::vector<Edge> order;   ///< among side effects, and between visible writes and nodes that may raise
};

/// Builds the dependences of `block`. Only values that something writes, and containers, cost alias queries.
[[nodiscard]] Dependences dependences_of(torch::jit::Block* block, const Verdicts& verdicts,
                                         const Surroundings& surroundings, torch::jit::AliasDb& aliases);

/// The ancestor of `node` (or itself) that lies directly in `block`; null when `block` does not contain it.
[[nodiscard]] torch::jit::Node* ancestor_in(torch::jit::Node* node, const torch::jit::Block* block);

}  // namespace torchweld::frontend
