#include "frontend/sink_lists.h"

#include <torch/csrc/jit/ir/ir.h>

#include "frontend/dependences.h"

namespace torchweld::frontend {
namespace {

using torch::jit::Block;
using torch::jit::Node;

bool makes_list_of_tensors(const Node& node) {
  if (node.kind() != torch::jit::prim::ListConstruct) return false;
  const auto list = node.output()->type()->cast<c10::ListType>();
  return list && list->getElementType()->isSubtypeOf(*c10::OptionalType::create(c10::TensorType::get()));
}

/// The first node of the block that uses the list, itself or in its blocks.
Node* first_use(Node* construct) {
  Node* first = nullptr;
  for (const auto& use : construct->output()->uses()) {
    Node* user = ancestor_in(use.user, construct->owningBlock());
    if (user && (!first || user->isBefore(first))) first = user;
  }
  return first;
}

void sink_lists_in(Block* block) {
  for (auto node = block->nodes().rbegin(); node != block->nodes().rend();) {
    Node* current = *node;
    ++node;
    for (Block* nested : current->blocks()) sink_lists_in(nested);
    if (!makes_list_of_tensors(*current)) continue;
    if (Node* user = first_use(current); user && current->next() != user) current->moveBefore(user);
  }
}

}  // namespace

void sink_lists(torch::jit::Graph& graph) { sink_lists_in(graph.block()); }

void show_aliases(torch::jit::Graph& graph) {
  namespace aten = torch::jit::aten;
  std::vector<Node*> casts = torch::jit::findAllNodes(graph, aten::type_as, /*recurse=*/true);
  const std::vector<Node*> to_float = torch::jit::findAllNodes(graph, aten::_cast_Float, /*recurse=*/true);
  casts.insert(casts.end(), to_float.begin(), to_float.end());
  for (Node* node : casts) {
    const torch::jit::WithInsertPoint at(node);
    auto* no = graph.insertConstant(false);
    auto* none = graph.insertConstant(c10::IValue());
    auto* like = node->kind() == aten::type_as ? node->input(1) : graph.insertConstant(c10::ScalarType::Float);
    Node* cast = graph.create(aten::to, {node->input(0), like, no, no, none});
    node->output()->replaceAllUsesWith(graph.insertNode(cast->copyMetadata(node))->output());
    cast->output()->setType(node->output()->type());
    node->destroy();
  }
}

}  // namespace torchweld::frontend
