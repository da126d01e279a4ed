#include "frontend/optimize_method.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/alias_analysis.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <algorithm>
#include <tuple>

#include "frontend/borders.h"
#include "frontend/dependences.h"
#include "frontend/keep_loops_apart.h"
#include "frontend/lower_regions.h"
#include "frontend/names.h"
#include "frontend/partition.h"
#include "frontend/placement.h"

namespace torchweld::frontend {
namespace {

using torch::jit::AliasDb;
using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
namespace prim = torch::jit::prim;

/// Everything that is decided about one method before any node moves. The AliasDb is built once, and not asked again
/// after the first edit.
class Analysis {
public:
  Analysis(const std::shared_ptr<Graph>& graph, const Options& options)
      : options_(options), aliases_(graph), surroundings_(surroundings_in(*graph)),
        verdicts_(judge(*graph, surroundings_, aliases_)) {
    visit(graph->block());
    borders_ = decide_borders(*graph, std::move(regions_), verdicts_, aliases_);
    for (const auto& [block, dependences] : blocks_) orders_.push_back({block, place(block, dependences, borders_)});
  }

  [[nodiscard]] const Borders& borders() const { return borders_; }
  [[nodiscard]] const std::vector<BlockOrder>& orders() const { return orders_; }
  [[nodiscard]] const Verdicts& verdicts() const { return verdicts_; }

private:
  void visit(Block* block) {
    for (Node* node : block->nodes())
      for (Block* nested : node->blocks()) visit(nested);
    Dependences dependences = dependences_of(block, verdicts_, surroundings_, aliases_);
    const std::size_t before = regions_.size();
    for (const auto& members : partition(dependences, verdicts_)) {
      if (is_large_enough(members, dependences, verdicts_, options_.min_region_nodes)) {
        add_region(block, members, dependences);
      } else {
        dissolve(members, dependences);
      }
    }
    if (regions_.size() > before) blocks_.emplace_back(block, std::move(dependences));
  }

  void add_region(Block* block, const std::vector<int>& members, const Dependences& dependences) {
    Region& region = regions_.emplace_back();
    region.block = block;
    for (const int i : members) region.members.push_back(dependences.nodes[static_cast<std::size_t>(i)]);
  }

  /// Views and size arithmetic keep their roles: another region may copy them in.
  void dissolve(const std::vector<int>& members, const Dependences& dependences) {
    for (const int i : members) {
      Verdict& verdict = verdicts_.at(dependences.nodes[static_cast<std::size_t>(i)]);
      if (verdict.role == Role::compute) verdict = {Role::outside, Boundary::too_small, nullptr};
    }
  }

  const Options& options_;
  AliasDb aliases_;
  Surroundings surroundings_;
  Verdicts verdicts_;
  std::vector<Region> regions_;
  std::vector<std::pair<Block*, Dependences>> blocks_;
  Borders borders_;
  std::vector<BlockOrder> orders_;
};

// ---- what happened

MethodOutcome::Region outcome_of(const Region& region, const Verdicts& verdicts) {
  MethodOutcome::Region outcome;
  for (const Node* node : region.nodes) {
    if (verdicts.at(node).role == Role::carried) continue;
    ++outcome.nodes;
    outcome.ops.push_back(op_name(*node));
    outcome.lines.push_back(source_line(*node));
  }
  return outcome;
}

/// Nodes that make no work on tensors are not worth a line of a report.
bool is_silent(const Node& node) {
  switch (node.kind()) {
  case prim::Constant:
  case prim::GetAttr:
  case prim::ListConstruct:
  case prim::ListUnpack:
  case prim::TupleConstruct:
  case prim::TupleUnpack:
    return true;
  default:
    return false;
  }
}

class Outsiders {
public:
  Outsiders(const Verdicts& verdicts, const Borders& borders) : verdicts_(verdicts), borders_(borders) {}

  void visit(Block* block) {
    for (Node* node : block->nodes()) {
      for (Block* nested : node->blocks()) visit(nested);
      const Verdict& verdict = verdicts_.at(node);
      if (is_silent(*node) || borders_.removed.count(node) != 0 || verdict.role == Role::carried) continue;
      const Boundary reason = verdict.role == Role::outside ? verdict.reason : Boundary::aliases_output;
      ++counts_[{op_name(*node), source_line(*node), reason}];
    }
  }

  [[nodiscard]] std::vector<MethodOutcome::Outside> take() const {
    std::vector<MethodOutcome::Outside> outside;
    for (const auto& [key, count] : counts_)
      outside.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
    return outside;
  }

private:
  const Verdicts& verdicts_;
  const Borders& borders_;
  std::map<std::tuple<std::string, std::string, Boundary>, int> counts_;
};

}  // namespace

MethodOutcome optimize_method(const std::shared_ptr<Graph>& graph, torch::jit::Module& self, const Options& options) {
  const Analysis analysis(graph, options);
  MethodOutcome outcome;
  for (const Region& region : analysis.borders().regions)
    outcome.regions.push_back(outcome_of(region, analysis.verdicts()));
  Outsiders outsiders(analysis.verdicts(), analysis.borders());
  outsiders.visit(graph->block());
  outcome.outside = outsiders.take();
  const auto names = lower_regions(*graph, self, analysis.borders(), analysis.orders(), options);
  for (std::size_t i = 0; i < names.size(); ++i) outcome.regions[i].attribute = names[i];
  torch::jit::EliminateDeadCode(graph);
  keep_loops_apart(*graph);
  graph->lint();
  return outcome;
}

}  // namespace torchweld::frontend
