#include "frontend/effects.h"

#include <torch/csrc/jit/ir/alias_analysis.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "frontend/names.h"

namespace torchweld::frontend {
namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;
namespace prim = torch::jit::prim;
namespace attr = torch::jit::attr;

constexpr std::array<std::string_view, 11> kChangeSizes{
    "aten::resize_",  "aten::resize_as_", "aten::set_",        "aten::t_",        "aten::transpose_", "aten::swapaxes_",
    "aten::squeeze_", "aten::unsqueeze_", "aten::as_strided_", "aten::swapdims_", "aten::detach_"};

void for_each_node(Node* node, const std::function<void(Node*)>& visit) {
  visit(node);
  for (Block* block : node->blocks())
    for (Node* nested : block->nodes()) for_each_node(nested, visit);
}

bool changes_sizes(const Node& node) {
  return std::find(kChangeSizes.begin(), kChangeSizes.end(), node.kind().toQualString()) != kChangeSizes.end();
}

bool calls_unknown_code(const Node& node) {
  if (node.kind() == prim::CallMethod || node.kind() == prim::CallFunction || node.kind() == prim::fork) return true;
  const auto* op = node.maybeOperator();
  return op && op->aliasAnalysisKind() == c10::AliasAnalysisKind::CONSERVATIVE;
}

void add_written(Node* node, Effects& effects) {
  const auto* schema = node->maybeSchema();
  if (!schema) return;
  const auto& arguments = schema->arguments();
  for (std::size_t i = 0; i < arguments.size() && i < node->inputs().size(); ++i)
    if (arguments[i].alias_info() && arguments[i].alias_info()->isWrite()) effects.written.push_back(node->inputs()[i]);
}

/// batch_norm and its like write running statistics in training, which their schemas do not tell.
void add_hidden_writes(Node* node, Effects& effects) {
  const auto name = node->kind();
  if (name != torch::jit::aten::batch_norm && name != torch::jit::aten::instance_norm &&
      name != torch::jit::aten::_batch_norm_impl_index)
    return;
  for (const std::size_t i : {std::size_t{3}, std::size_t{4}})
    if (i < node->inputs().size() && !node->inputs()[i]->mustBeNone()) effects.written.push_back(node->inputs()[i]);
}

bool is_mutable(const Value& value) {
  switch (value.type()->kind()) {
  case c10::TypeKind::IntType:
  case c10::TypeKind::FloatType:
  case c10::TypeKind::BoolType:
  case c10::TypeKind::StringType:
  case c10::TypeKind::NoneType:
    return false;
  default:
    return true;
  }
}

/// A loop's inputs are its count, its condition, and then what it hands on; its block's are the turn and then those.
void add_carried(Node* loop, std::vector<std::vector<Value*>>& carried) {
  Block* body = loop->blocks()[0];
  for (std::size_t i = 0; i < loop->outputs().size(); ++i)
    if (is_mutable(*loop->outputs()[i]))
      carried.push_back({loop->inputs()[i + 2], body->inputs()[i + 1], body->outputs()[i + 1], loop->outputs()[i]});
}

bool touches_attribute(const Node& node, const std::unordered_set<std::string>& set_attributes) {
  return (node.kind() == prim::GetAttr || node.kind() == prim::SetAttr) &&
         set_attributes.count(node.s(attr::name)) != 0;
}

}  // namespace

Surroundings surroundings_in(torch::jit::Graph& graph) {
  Surroundings found;
  for (Node* node : graph.nodes())
    for_each_node(node, [&](Node* nested) { found.sizes_change = found.sizes_change || changes_sizes(*nested); });
  for (Node* node : torch::jit::findAllNodes(graph, prim::SetAttr, /*recurse=*/true))
    found.set_attributes.insert(node->s(attr::name));
  for (Node* loop : torch::jit::findAllNodes(graph, prim::Loop, /*recurse=*/true)) add_carried(loop, found.carried);
  return found;
}

bool has_side_effects(const Node& node) { return node.hasSideEffects() || node.kind() == prim::SetAttr; }

Effects effects_of(Node* node, const Surroundings& surroundings) {
  Effects effects;
  for_each_node(node, [&](Node* nested) {
    add_written(nested, effects);
    add_hidden_writes(nested, effects);
    effects.writes_unknown = effects.writes_unknown || calls_unknown_code(*nested);
    effects.side_effect = effects.side_effect || has_side_effects(*nested) || nested->isNondeterministic() ||
                          touches_attribute(*nested, surroundings.set_attributes);
    effects.changes_sizes = effects.changes_sizes || changes_sizes(*nested);
  });
  effects.side_effect = effects.side_effect || effects.writes_unknown;
  return effects;
}

std::vector<Value*> values_touched_by(Node* node) {
  std::vector<Value*> values;
  for_each_node(node, [&](Node* nested) {
    for (Value* value : nested->inputs()) values.push_back(value);
    for (Value* value : nested->outputs()) values.push_back(value);
    for (Block* block : nested->blocks())
      for (Value* value : block->outputs()) values.push_back(value);
  });
  return values;
}

}  // namespace torchweld::frontend
