#include "frontend/partition.h"

#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <boost/pending/disjoint_sets.hpp>
#include <boost/range/iterator_range.hpp>
#include <map>
#include <string_view>

#include "frontend/names.h"

namespace torchweld::frontend {
namespace {

using torch::jit::Node;
using torch::jit::Value;
using DependenceGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

/// Ops that one kernel of ours runs faster than eager does, so that they need no neighbour.
constexpr std::array<std::string_view, 7> kWorthAlone{
    "aten::softmax.int", "aten::_softmax", "aten::log_softmax.int",   "aten::layer_norm",
    "aten::group_norm",  "aten::rms_norm", "aten::cross_entropy_loss"};
/// Views that reorder dims.
constexpr std::array<std::string_view, 7> kReorders{"aten::movedim.int", "aten::permute", "aten::swapaxes",
                                                    "aten::swapdims",    "aten::t",       "aten::transpose.int",
                                                    "aten::numpy_T"};
/// Views that keep the order of dims.
constexpr std::array<std::string_view, 5> kKeepsOrder{"aten::view", "aten::unsqueeze", "aten::squeeze.dim",
                                                      "aten::slice.Tensor", "aten::expand"};
constexpr int kNoLevel = -1;

template <std::size_t count>
bool is_one_of(const std::array<std::string_view, count>& names, const Node& node) {
  return std::find(names.begin(), names.end(), op_name(node)) != names.end();
}

/// A copy into another order of dims, which eager does with scattered accesses.
bool transposes(const Node& node) {
  if (!may_copy(node)) return false;
  const Node* source = node.inputs()[0]->node();
  while (is_one_of(kKeepsOrder, *source)) source = source->inputs()[0]->node();
  return is_one_of(kReorders, *source);
}

class Levels {
public:
  Levels(const Dependences& block, const Verdicts& verdicts)
      : block_(block), verdicts_(verdicts), graph_(block.nodes.size()), level_(block.nodes.size(), kNoLevel),
        inside_(block.nodes.size(), false) {
    for (const auto* edges : {&block.data, &block.memory, &block.order})
      for (const auto& [from, to] : *edges) boost::add_edge(index(from), index(to), graph_);
    for (std::size_t i = 0; i < block.nodes.size(); ++i) assign(i);
  }

  [[nodiscard]] bool inside(std::size_t i) const { return inside_[i]; }
  [[nodiscard]] int level(std::size_t i) const { return level_[i]; }
  [[nodiscard]] std::size_t size() const { return level_.size(); }
  /// Reads elements and makes new ones, or may.
  [[nodiscard]] bool computes(std::size_t i) const {
    const Role role = verdicts_.at(block_.nodes[i]).role;
    return role == Role::compute || (role == Role::view && may_copy(*block_.nodes[i]));
  }

  /// Moves node `i`, alone in its level, to the level of its first consumer, if all of its successors are later.
  void sink(std::size_t i) {
    int first = kNoLevel;
    for (const auto next : boost::make_iterator_range(boost::adjacent_vertices(i, graph_))) {
      if (!inside_[next] || level_[next] <= level_[i]) return;
      first = first == kNoLevel ? level_[next] : std::min(first, level_[next]);
    }
    if (first != kNoLevel) level_[i] = first;
  }

private:
  static std::size_t index(int position) { return static_cast<std::size_t>(position); }

  void assign(std::size_t i) {
    int from_inside = kNoLevel;
    int from_outside = kNoLevel;
    for (const auto previous : boost::make_iterator_range(boost::inv_adjacent_vertices(i, graph_))) {
      int& highest = inside_[previous] ? from_inside : from_outside;
      highest = std::max(highest, level_[previous]);
    }
    const Role role = verdicts_.at(block_.nodes[i]).role;
    if (computes(i)) {
      inside_[i] = true;
      level_[i] = std::max({0, from_inside, from_outside + 1});
    } else {
      // Views and size arithmetic belong to a region only where they depend on a tensor of its level.
      inside_[i] = role != Role::outside && from_inside > from_outside;
      level_[i] = std::max(from_inside, from_outside);
    }
  }

  const Dependences& block_;
  const Verdicts& verdicts_;
  DependenceGraph graph_;
  std::vector<int> level_;
  std::vector<bool> inside_;
};

/// Unites nodes of one level along data edges and shared tensor inputs.
class Components {
public:
  Components(const Dependences& block, const Levels& levels)
      : rank_(levels.size()), root_(levels.size()), count_(levels.size(), 0), sets_(rank_.data(), root_.data()) {
    for (std::size_t i = 0; i < levels.size(); ++i) sets_.make_set(i);
    for (const auto& [from, to] : block.data)
      unite(levels, static_cast<std::size_t>(from), static_cast<std::size_t>(to));
    unite_sharers(block, levels);
    for (std::size_t i = 0; i < levels.size(); ++i) ++count_[find(i)];
  }
  [[nodiscard]] std::size_t find(std::size_t i) { return sets_.find_set(i); }
  [[nodiscard]] int size_of(std::size_t i) { return count_[find(i)]; }

private:
  void unite(const Levels& levels, std::size_t a, std::size_t b) {
    if (levels.inside(a) && levels.inside(b) && levels.level(a) == levels.level(b)) sets_.union_set(a, b);
  }

  void unite_sharers(const Dependences& block, const Levels& levels) {
    std::map<std::pair<const Value*, int>, std::size_t> first_user;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (!levels.computes(i)) continue;
      for (const Value* value : std::as_const(*block.nodes[i]).inputs()) {
        const auto kind = value->node()->kind();
        if (!is_tensor(*value) || kind == torch::jit::prim::Constant || kind == torch::jit::prim::GetAttr) continue;
        const auto [found, is_first] = first_user.try_emplace({value, levels.level(i)}, i);
        if (!is_first) unite(levels, found->second, i);
      }
    }
  }

  std::vector<std::size_t> rank_;
  std::vector<std::size_t> root_;
  std::vector<int> count_;
  boost::disjoint_sets<std::size_t*, std::size_t*> sets_;
};

}  // namespace

std::vector<std::vector<int>> partition(const Dependences& block, const Verdicts& verdicts) {
  Levels levels(block, verdicts);
  Components before(block, levels);
  for (std::size_t i = levels.size(); i-- > 0;)
    if (levels.computes(i) && before.size_of(i) == 1) levels.sink(i);
  Components components(block, levels);
  std::map<std::size_t, std::vector<int>> by_root;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (levels.inside(i)) by_root[components.find(i)].push_back(static_cast<int>(i));
  std::vector<std::vector<int>> regions;
  for (auto& [root, members] : by_root) regions.push_back(std::move(members));
  std::sort(regions.begin(), regions.end(), [](const auto& a, const auto& b) { return a.back() < b.back(); });
  return regions;
}

bool is_large_enough(const std::vector<int>& region, const Dependences& block, const Verdicts& verdicts,
                     int min_nodes) {
  int computing = 0;
  int casting = 0;
  for (const int i : region) {
    const Node* node = block.nodes[static_cast<std::size_t>(i)];
    if (is_one_of(kWorthAlone, *node) || transposes(*node)) return true;
    if (verdicts.at(node).role == Role::compute) ++computing;
    if (op_name(*node).rfind("aten::to.", 0) == 0) ++casting;
  }
  return computing > 0 && computing + casting >= min_nodes;
}

}  // namespace torchweld::frontend
