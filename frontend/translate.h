#pragma once

#include <string>

#include "graph/graph.h"

namespace torchweld::frontend {

/// Reads a region's TorchScript IR text as a graph in region form: one node per TorchScript node, constants as
/// literals, lists built by `prim::ListConstruct`. A node's line is its place among the text's nodes, constants
/// included: an index into runtime::RegionState::node_lines. Throws Error naming an op that has no row.
[[nodiscard]] graph::Graph translate(const std::string& region_text);

}  // namespace torchweld::frontend
