#include "frontend/dependences.h"

#include <torch/csrc/jit/ir/alias_analysis.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>

#include "graph/op.h"

namespace torchweld::frontend {
namespace {

using torch::jit::AliasDb;
using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;

bool is_container(const Value& value) {
  switch (value.type()->kind()) {
  case c10::TypeKind::ListType:
  case c10::TypeKind::TupleType:
  case c10::TypeKind::DictType:
  case c10::TypeKind::OptionalType:
  case c10::TypeKind::AnyType:
  case c10::TypeKind::ClassType:
    return true;
  default:
    return false;
  }
}

/// A node of one tensor cannot meet sizes that do not fit; that of two can.
bool may_raise(const Node& node, const Verdict& verdict) {
  if (verdict.role != Role::compute || !graph::is_pointwise(*verdict.op)) return true;
  const auto inputs = node.inputs();
  return std::count_if(inputs.begin(), inputs.end(), [](const Value* v) { return is_tensor(*v); }) > 1;
}

class Builder {
public:
  Builder(Block* block, const Verdicts& verdicts, const Surroundings& surroundings, AliasDb& aliases)
      : block_(block), verdicts_(verdicts), surroundings_(surroundings), aliases_(aliases) {}

  Dependences build() {
    for (Node* node : block_->nodes()) {
      result_.position.emplace(node, static_cast<int>(result_.nodes.size()));
      result_.nodes.push_back(node);
      effects_.push_back(effects_of(node, surroundings_));
    }
    for (Effects& effects : effects_) follow_loops(effects.written);
    add_data_edges();
    add_memory_edges();
    add_order_edges();
    return std::move(result_);
  }

private:
  [[nodiscard]] int size() const { return static_cast<int>(result_.nodes.size()); }
  [[nodiscard]] Node* node(int i) const { return result_.nodes[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const Effects& effects(int i) const { return effects_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const Verdict& verdict(int i) const { return verdicts_.at(node(i)); }
  [[nodiscard]] bool writes(int i) const { return !effects(i).written.empty() || effects(i).writes_unknown; }

  static void connect(std::vector<Dependences::Edge>& edges, int a, int b) {
    edges.emplace_back(std::min(a, b), std::max(a, b));
  }

  void add_data_edges() {
    for (int i = 0; i < size(); ++i)
      for (Value* value : node(i)->outputs())
        for (const auto& use : value->uses())
          if (Node* user = ancestor_in(use.user, block_); user && user != block_->return_node())
            connect(result_.data, i, result_.position.at(user));
  }

  /// Adds to `written` what loops may make the same as one of its values.
  void follow_loops(std::vector<Value*>& written) {
    if (written.empty()) return;
    std::vector<bool> followed(surroundings_.carried.size(), false);
    for (bool grew = true; grew;) {
      grew = false;
      for (std::size_t i = 0; i < followed.size(); ++i) {
        const auto& same = surroundings_.carried[i];
        if (followed[i] || !aliases_.mayContainAlias(same, written)) continue;
        followed[i] = grew = writes_through_loops_ = true;
        written.insert(written.end(), same.begin(), same.end());
      }
    }
  }

  /// Views, sizes and lists read no elements: they wait only for writers that change sizes.
  [[nodiscard]] bool reads_sizes_only(int i) const {
    return verdict(i).role == Role::carried || (verdict(i).role == Role::view && !may_copy(*node(i)));
  }

  void add_memory_edges() {
    std::vector<int> writers;
    for (int i = 0; i < size(); ++i)
      if (writes(i)) writers.push_back(i);
    if (writers.empty()) return;
    for (int i = 0; i < size(); ++i) add_memory_edges_of(i, writers);
  }

  void add_memory_edges_of(int i, const std::vector<int>& writers) {
    std::vector<Value*> exposed;
    for (Value* value : values_touched_by(node(i)))
      if (writes_through_loops_ || is_container(*value) || aliases_.hasWriters(value)) exposed.push_back(value);
    for (const int writer : writers) {
      if (writer == i || (reads_sizes_only(i) && !effects(writer).changes_sizes)) continue;
      if (may_write(writer, exposed)) connect(result_.memory, writer, i);
    }
  }

  [[nodiscard]] bool may_write(int writer, const std::vector<Value*>& values) {
    if (values.empty()) return false;
    if (effects(writer).writes_unknown) return true;
    const torch::jit::ValueSet set(values.begin(), values.end());
    if (aliases_.writesToAlias(node(writer), set)) return true;
    const auto& written = effects(writer).written;
    return std::any_of(values.begin(), values.end(), [&](Value* value) {
      return std::any_of(written.begin(), written.end(),
                         [&](Value* target) { return aliases_.mayContainAlias(target, value); });
    });
  }

  /// A write that others can see after an exception.
  [[nodiscard]] bool writes_visibly(int i) const {
    if (effects(i).writes_unknown || is_set_attribute(i)) return true;
    return !effects(i).written.empty() && aliases_.escapesScope(effects(i).written);
  }
  [[nodiscard]] bool is_set_attribute(int i) const { return node(i)->kind() == torch::jit::prim::SetAttr; }

  void add_order_edges() {
    int last_effect = -1;
    int last_barrier = -1;
    std::vector<int> raising_since;
    for (int i = 0; i < size(); ++i) {
      if (effects(i).side_effect) {
        if (last_effect >= 0) connect(result_.order, last_effect, i);
        last_effect = i;
      }
      if (writes_visibly(i)) {
        for (const int earlier : raising_since) connect(result_.order, earlier, i);
        if (last_barrier >= 0) connect(result_.order, last_barrier, i);
        raising_since.clear();
        last_barrier = i;
      } else if (verdict(i).role == Role::compute && may_raise(*node(i), verdict(i))) {
        if (last_barrier >= 0) connect(result_.order, last_barrier, i);
        raising_since.push_back(i);
      }
    }
  }

  Block* block_;
  const Verdicts& verdicts_;
  const Surroundings& surroundings_;
  AliasDb& aliases_;
  bool writes_through_loops_ = false;
  Dependences result_;
  std::vector<Effects> effects_;
};

}  // namespace

Dependences dependences_of(Block* block, const Verdicts& verdicts, const Surroundings& surroundings, AliasDb& aliases) {
  return Builder(block, verdicts, surroundings, aliases).build();
}

Node* ancestor_in(Node* node, const Block* block) {
  while (node && node->owningBlock() != block) node = node->owningBlock() ? node->owningBlock()->owningNode() : nullptr;
  return node;
}

}  // namespace torchweld::frontend
