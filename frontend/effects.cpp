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

/// What a turn of a loop returns, the next turn may write as its input; alias analysis does not see that.
void add_loop_writes(Node* node, Effects& effects) {
  if (node->kind() != prim::Loop) return;
  effects.writes_through_loop = true;
  for (Value* value : node->blocks()[0]->outputs()) effects.written.push_back(value);
  for (Value* value : node->outputs()) effects.written.push_back(value);
}

bool touches_attribute(const Node& node, const std::unordered_set<std::string>& set_attributes) {
  return (node.kind() == prim::GetAttr || node.kind() == prim::SetAttr) &&
         set_attributes.count(node.s(attr::name)) != 0;
}

}  // namespace

std::unordered_set<std::string> set_attributes(torch::jit::Graph& graph) {
  std::unordered_set<std::string> names;
  for (Node* node : torch::jit::findAllNodes(graph, prim::SetAttr, /*recurse=*/true)) names.insert(node->s(attr::name));
  return names;
}

Effects effects_of(Node* node, const std::unordered_set<std::string>& set_attributes) {
  Effects effects;
  for_each_node(node, [&](Node* nested) {
    add_written(nested, effects);
    add_hidden_writes(nested, effects);
    effects.writes_unknown = effects.writes_unknown || calls_unknown_code(*nested);
    effects.side_effect = effects.side_effect || nested->hasSideEffects() || nested->isNondeterministic() ||
                          touches_attribute(*nested, set_attributes);
    const auto name = nested->kind().toQualString();
    effects.changes_sizes =
        effects.changes_sizes || std::find(kChangeSizes.begin(), kChangeSizes.end(), name) != kChangeSizes.end();
  });
  if (!effects.written.empty()) for_each_node(node, [&](Node* nested) { add_loop_writes(nested, effects); });
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
