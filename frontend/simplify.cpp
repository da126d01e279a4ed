#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/common_subexpression_elimination.h>
#include <torch/csrc/jit/passes/constant_propagation.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/lower_tuples.h>
#include <torch/csrc/jit/passes/peephole.h>
#include <torch/csrc/jit/passes/remove_mutation.h>

#include "frontend/names.h"
#include "frontend/prepare.h"
#include "frontend/sink_lists.h"

namespace torchweld::frontend {
namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;
namespace aten = torch::jit::aten;
namespace prim = torch::jit::prim;

/// PyTorch's pass takes time quadratic in the size of the graph: 28 s at 20,000 nodes.
constexpr std::size_t kMostNodesForListMutation = 4000;
constexpr std::size_t kMostNodesForTensorMutation = 30000;

std::size_t count_nodes(Block* block) {
  std::size_t count = 0;
  for (Node* node : block->nodes()) {
    ++count;
    for (Block* nested : node->blocks()) count += count_nodes(nested);
  }
  return count;
}

template <class Visit>
void for_each_node(Block* block, Visit visit) {
  for (auto node = block->nodes().begin(); node != block->nodes().end();) {
    Node* current = *node++;
    for (Block* nested : current->blocks()) for_each_node(nested, visit);
    visit(current);
  }
}

/// dropout(x, p, train=False) => x
void remove_idle_dropout(Node* node) {
  if (node->kind() != aten::dropout && op_name(*node) != "aten::dropout_") return;
  const auto train = torch::jit::toIValue(node->input(2));
  if (!train || !train->isBool() || train->toBool()) return;
  node->output()->replaceAllUsesWith(node->input(0));
  if (node->kind() != aten::dropout) node->destroy();  // it says that it writes, which keeps it alive
}

/// Tracing writes size arithmetic as tensors: Int(floor_divide(NumToTensor(n), 2)) => floordiv(n, 2)
class TracedInts {
public:
  explicit TracedInts(Node* cast) : graph_(*cast->owningGraph()), at_(cast) {}

  /// The int that `tensor` holds; null when it is not the result of such arithmetic.
  Value* int_of(Value* tensor) {
    Node* node = tensor->node();
    if (node->kind() == prim::NumToTensor)
      return node->input()->type()->kind() == c10::TypeKind::IntType ? node->input() : nullptr;
    if (node->kind() == prim::Constant) return constant_int(tensor);
    const auto op = int_op(*node);
    if (!op) return nullptr;
    Value* left = int_of(node->input(0));
    Value* right = left ? int_of(node->input(1)) : nullptr;
    return right ? graph_.insert(*op, {left, right}) : nullptr;
  }

private:
  static std::optional<c10::Symbol> int_op(const Node& node) {
    const std::string name = op_name(node);
    const bool unscaled = node.inputs().size() < 3 || [&] {
      const auto alpha = torch::jit::toIValue(node.inputs()[2]);
      return alpha && alpha->isInt() && alpha->toInt() == 1;
    }();
    if (name == "aten::floor_divide") return aten::floordiv;
    if (name == "aten::mul.Tensor") return aten::mul;
    if (name == "aten::add.Tensor" && unscaled) return aten::add;
    if (name == "aten::sub.Tensor" && unscaled) return aten::sub;
    return std::nullopt;
  }

  Value* constant_int(Value* tensor) {
    const auto constant = torch::jit::toIValue(tensor);
    if (!constant || !constant->isTensor()) return nullptr;
    const at::Tensor& held = constant->toTensor();
    if (held.dim() != 0 || held.scalar_type() != at::kLong || !held.device().is_cpu()) return nullptr;
    return graph_.insertConstant(held.item<std::int64_t>());
  }

  Graph& graph_;
  torch::jit::WithInsertPoint at_;
};

void fold_traced_ints(Node* node) {
  if (op_name(*node) != "aten::Int.Tensor") return;
  TracedInts ints(node);
  if (Value* number = ints.int_of(node->input())) node->output()->replaceAllUsesWith(number);
}

}  // namespace

void simplify(const std::shared_ptr<Graph>& graph) {
  auto shared = graph;
  for_each_node(graph->block(), remove_idle_dropout);
  show_aliases(*graph);
  sink_lists(*graph);
  const std::size_t size = count_nodes(graph->block());
  if (size <= kMostNodesForListMutation) torch::jit::RemoveListMutation(graph);
  if (size <= kMostNodesForTensorMutation) torch::jit::RemoveTensorMutation(graph);
  torch::jit::LowerSimpleTuples(graph);
  torch::jit::ConstantPropagation(shared);
  torch::jit::PeepholeOptimize(graph);
  for_each_node(graph->block(), fold_traced_ints);
  torch::jit::EliminateCommonSubexpression(graph);
  torch::jit::EliminateDeadCode(graph);
}

}  // namespace torchweld::frontend
