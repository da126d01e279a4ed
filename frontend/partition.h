#pragma once

#include <vector>

#include "frontend/dependences.h"

namespace torchweld::frontend {

/// Groups nodes of one block into regions: positions in ascending order,
/// regions by their last. No path leaves a region and returns to it, so
/// each can become one node. Linear in nodes and edges.
///
/// The level of a node is the largest number of times that a path to it leaves supported territory and comes back;
/// supported nodes of one level that are connected, or share an input, form a region.
[[nodiscard]] std::vector<std::vector<int>> partition(const Dependences& block, const Verdicts& verdicts);

/// True when `region` is worth a call: `min_nodes` nodes that compute, or one such as softmax that gains alone.
[[nodiscard]] bool is_large_enough(const std::vector<int>& region, const Dependences& block, const Verdicts& verdicts,
                                   int min_nodes);

}  // namespace torchweld::frontend
