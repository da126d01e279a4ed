#include "frontend/borders.h"

#include <torch/csrc/jit/ir/alias_analysis.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <unordered_map>

#include "frontend/effects.h"

namespace torchweld::frontend {
namespace {

using torch::jit::AliasDb;
using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;
namespace prim = torch::jit::prim;

constexpr int kNoRegion = -1;

class Border {
public:
  Border(torch::jit::Graph& graph, std::vector<Region> regions, const Verdicts& verdicts, const AliasDb& aliases)
      : verdicts_(verdicts), aliases_(aliases), loops_carry_(!surroundings_in(graph).carried.empty()) {
    result_.regions = std::move(regions);
    for (std::size_t r = 0; r < result_.regions.size(); ++r)
      for (Node* node : result_.regions[r].members) region_of_.emplace(node, static_cast<int>(r));
    contents_.resize(result_.regions.size());
    for (std::size_t r = 0; r < result_.regions.size(); ++r) fill(static_cast<int>(r));
    demand_all(graph.block());
    settle();
    collect_removed(graph.block());
    drop_unneeded();
  }
  Borders take() { return std::move(result_); }

private:
  struct Contents {
    std::unordered_set<const Node*> nodes;
    std::unordered_set<const Value*> inputs;
    std::vector<Value*> undecided;  ///< numbers that may be computed inside or passed
  };

  Region& region(int r) { return result_.regions[static_cast<std::size_t>(r)]; }
  Contents& contents(int r) { return contents_[static_cast<std::size_t>(r)]; }
  [[nodiscard]] int region_of(const Node* node) const {
    const auto found = region_of_.find(node);
    return found == region_of_.end() ? kNoRegion : found->second;
  }
  [[nodiscard]] Role role(const Node* node) const {
    const auto found = verdicts_.find(node);
    return found == verdicts_.end() ? Role::outside : found->second.role;
  }

  // ---- what a region holds

  void fill(int r) {
    const std::vector<Node*> members = region(r).members;
    for (Node* node : members)
      if (role(node) == Role::compute) include(r, node);
    decide_numbers(r);
  }

  void include(int r, Node* node) {
    if (!contents(r).nodes.insert(node).second) return;
    for (Value* value : node->inputs()) want(r, value);
    region(r).nodes.push_back(node);
  }

  void want(int r, Value* value) {
    Node* node = value->node();
    if (node->kind() == prim::Constant && is_printable_constant(*value)) return;
    if (region_of(node) == r || is_free_to_copy(node, *value)) return include(r, node);
    if (role(node) == Role::carried) {
      contents(r).undecided.push_back(value);
    } else {
      add_input(r, value);
    }
  }

  /// A view costs nothing inside, and neither lists nor devices can be inputs.
  [[nodiscard]] bool is_free_to_copy(const Node* node, const Value& value) const {
    if (role(node) == Role::view) return !may_copy(*node);
    return role(node) == Role::carried && !is_scalar(value);
  }

  void add_input(int r, Value* value) {
    if (!contents(r).inputs.insert(value).second) return;
    (is_tensor(*value) ? region(r).tensors : region(r).scalars).push_back(value);
  }

  /// A number is computed inside where everything it needs is there anyway; else it is passed.
  void decide_numbers(int r) {
    const std::vector<Value*> undecided = std::move(contents(r).undecided);
    contents(r).undecided.clear();
    for (Value* value : undecided) {
      if (contents(r).inputs.count(value) != 0) continue;
      if (is_available(r, value, 0)) {
        copy_number(r, value->node());
      } else {
        add_input(r, value);
      }
    }
  }

  /// `depth` bounds the walk: a longer chain of size arithmetic is passed as a number.
  [[nodiscard]] bool is_available(int r, Value* value, int depth) {
    constexpr int kDeepest = 16;
    Node* node = value->node();
    if (node->kind() == prim::Constant) return is_printable_constant(*value);
    if (contents(r).inputs.count(value) != 0 || contents(r).nodes.count(node) != 0) return true;
    if (depth > kDeepest || role(node) != Role::carried) return false;
    const auto inputs = node->inputs();
    return std::all_of(inputs.begin(), inputs.end(), [&](Value* input) { return is_available(r, input, depth + 1); });
  }

  void copy_number(int r, Node* node) {
    if (!contents(r).nodes.insert(node).second) return;
    for (Value* value : node->inputs())
      if (value->node()->kind() != prim::Constant && contents(r).inputs.count(value) == 0)
        copy_number(r, value->node());
    region(r).nodes.push_back(node);
  }

  // ---- what others need

  void demand_all(Block* block) {
    for (Node* node : block->nodes()) {
      for (Block* nested : node->blocks()) demand_all(nested);
      if (role(node) == Role::outside) demand_inputs(node);
    }
    demand_inputs(block->return_node());
  }

  void demand_inputs(Node* node) {
    for (Value* value : node->inputs()) wanted_.push_back(value);
  }

  void settle() {
    for (std::size_t r = 0; r < result_.regions.size(); ++r) demand_inputs_of(static_cast<int>(r), 0, 0);
    while (!wanted_.empty()) {
      Value* value = wanted_.back();
      wanted_.pop_back();
      if (demanded_.insert(value).second) supply(value);
    }
    for (Region& each : result_.regions) sort(each);
  }

  void demand_inputs_of(int r, std::size_t tensors_before, std::size_t scalars_before) {
    const auto& [tensors, scalars] = std::tie(region(r).tensors, region(r).scalars);
    wanted_.insert(wanted_.end(), tensors.begin() + static_cast<std::ptrdiff_t>(tensors_before), tensors.end());
    wanted_.insert(wanted_.end(), scalars.begin() + static_cast<std::ptrdiff_t>(scalars_before), scalars.end());
  }

  void supply(Value* value) {
    Node* node = value->node();
    if (role(node) == Role::outside) return;
    const int r = region_of(node);
    if (r != kNoRegion && (role(node) == Role::compute || (role(node) == Role::view && may_leave(r, value)))) {
      give_out(r, value);
    } else if (kept_.insert(node).second) {
      demand_inputs(node);
    }
  }

  void give_out(int r, Value* value) {
    const std::size_t tensors = region(r).tensors.size();
    const std::size_t scalars = region(r).scalars.size();
    include(r, value->node());
    decide_numbers(r);
    region(r).outputs.push_back(value);
    demand_inputs_of(r, tensors, scalars);
  }

  /// A number that was decided last may feed a list that was included first.
  static void sort(Region& region) {
    std::sort(region.nodes.begin(), region.nodes.end(),
              [](const Node* a, const Node* b) { return a != b && a->isBefore(b); });
    std::unordered_map<const Node*, std::size_t> position;
    for (std::size_t i = 0; i < region.nodes.size(); ++i) position.emplace(region.nodes[i], i);
    std::sort(region.outputs.begin(), region.outputs.end(), [&](const Value* a, const Value* b) {
      return std::pair(position.at(a->node()), a->offset()) < std::pair(position.at(b->node()), b->offset());
    });
  }

  // ---- views at the border

  /// An op that may or may not alias may leave if nobody can tell a copy from an alias.
  [[nodiscard]] bool may_leave(int r, Value* value) const {
    if (!may_copy(*value->node())) return false;
    if (is_only_handle(r, value)) return true;
    if (loops_carry_ || aliases_.hasWriters(value)) return false;  // a loop may hide a writer
    std::unordered_set<const Value*> seen;
    return is_only_read(r, value, seen);
  }

  /// Nobody but regions and ops that return new memory sees `value` or an alias of it.
  [[nodiscard]] bool is_only_read(int r, Value* value, std::unordered_set<const Value*>& seen) const {
    if (!seen.insert(value).second) return true;
    const auto& uses = value->uses();
    return std::all_of(uses.begin(), uses.end(), [&](const auto& use) { return only_reads(r, use.user, value, seen); });
  }

  [[nodiscard]] bool only_reads(int r, Node* user, Value* value, std::unordered_set<const Value*>& seen) const {
    if (region_of(user) == r || role(user) == Role::compute) return true;
    if (!user->blocks().empty() || user->kind() == prim::Return || has_side_effects(*user)) return false;
    const auto outputs = user->outputs();
    return std::all_of(outputs.begin(), outputs.end(), [&](Value* output) {
      const bool is_new = !may_copy(*user) && !aliases_.mayContainAlias(value, output);
      return is_new || is_only_read(r, output, seen);
    });
  }

  /// The memory behind `value` is made in region `r`, and seen outside through `value` alone.
  [[nodiscard]] bool is_only_handle(int r, Value* value) const {
    Value* base = value;
    while (role(base->node()) == Role::view && region_of(base->node()) == r) base = base->node()->inputs()[0];
    if (region_of(base->node()) != r || role(base->node()) != Role::compute) return false;
    return !is_seen_outside(r, base, value);
  }

  /// Some alias of `base` other than `except` is used outside of region `r`.
  [[nodiscard]] bool is_seen_outside(int r, const Value* base, const Value* except) const {
    for (const auto& use : base->uses()) {
      const Node* user = use.user;
      const bool stays = region_of(user) == r;
      if (base != except && !stays) return true;
      if (!stays || role(user) == Role::compute) continue;
      for (const Value* alias : std::as_const(*user).outputs())
        if (!is_scalar(*alias) && is_seen_outside(r, alias, except)) return true;
    }
    return false;
  }

  /// A copy that may not leave makes no region.
  void drop_unneeded() {
    auto& regions = result_.regions;
    regions.erase(
        std::remove_if(regions.begin(), regions.end(), [](const Region& each) { return each.outputs.empty(); }),
        regions.end());
  }

  void collect_removed(Block* block) {
    for (Node* node : block->nodes()) {
      for (Block* nested : node->blocks()) collect_removed(nested);
      if (role(node) != Role::outside && kept_.count(node) == 0) result_.removed.insert(node);
    }
  }

  const Verdicts& verdicts_;
  const AliasDb& aliases_;
  bool loops_carry_;
  Borders result_;
  std::unordered_map<const Node*, int> region_of_;
  std::vector<Contents> contents_;
  std::vector<Value*> wanted_;
  std::unordered_set<const Value*> demanded_;
  std::unordered_set<const Node*> kept_;
};

}  // namespace

Borders decide_borders(torch::jit::Graph& graph, std::vector<Region> regions, const Verdicts& verdicts,
                       const AliasDb& aliases) {
  return Border(graph, std::move(regions), verdicts, aliases).take();
}

}  // namespace torchweld::frontend
