#pragma once

#include <unordered_set>
#include <vector>

#include "frontend/supported.h"

namespace torch::jit {
struct Block;
}

namespace torchweld::frontend {

/// A region of one block, and what crosses its border.
struct Region {
  torch::jit::Block* block = nullptr;
  std::vector<torch::jit::Node*> members;   ///< as partition() groups them, in order
  std::vector<torch::jit::Node*> nodes;     ///< what the region computes, copies included, each after what it uses
  std::vector<torch::jit::Value*> tensors;  ///< inputs
  std::vector<torch::jit::Value*> scalars;  ///< inputs
  std::vector<torch::jit::Value*> outputs;  ///< results of members that others use
};

/// What is decided about the values at the borders of all regions of one graph.
struct Borders {
  std::vector<Region> regions;
  std::unordered_set<const torch::jit::Node*> removed;  ///< nodes that only regions need
};

/// Decides what each region takes in, copies in and gives out. Views and size arithmetic are copied in; the originals
/// stay for whoever else uses them, so that no view and no number leaves a region.
[[nodiscard]] Borders decide_borders(torch::jit::Graph& graph, std::vector<Region> regions, const Verdicts& verdicts,
                                     const torch::jit::AliasDb& aliases);

}  // namespace torchweld::frontend
