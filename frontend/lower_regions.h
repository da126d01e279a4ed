#pragma once

#include <string>
#include <vector>

#include "frontend/placement.h"
#include "torchweld/options.h"

namespace torch::jit {
struct Graph;
struct Module;
}  // namespace torch::jit

namespace torchweld::frontend {

/// The order of each block of a graph, as place() decides it.
struct BlockOrder {
  torch::jit::Block* block;
  std::vector<Placed> items;
};

/// Puts `torchweld::execute` calls in the place of regions. Each region becomes an attribute of `self`, the module that
/// the graph is a method of; returns their names.
std::vector<std::string> lower_regions(torch::jit::Graph& graph, torch::jit::Module& self, const Borders& borders,
                                       const std::vector<BlockOrder>& orders, const Options& options);

}  // namespace torchweld::frontend
