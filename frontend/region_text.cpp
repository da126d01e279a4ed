#include "frontend/region_text.h"

#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

#include <unordered_map>

#include "frontend/names.h"

namespace torchweld::frontend {
namespace {

using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

/// Shapes, dtypes and devices that tracing wrote into a type hold for one call only.
c10::TypePtr plain_type(const c10::TypePtr& type) {
  if (type->kind() == c10::TypeKind::TensorType) return c10::TensorType::get();
  if (const auto optional = type->cast<c10::OptionalType>())
    return c10::OptionalType::create(plain_type(optional->getElementType()));
  if (const auto list = type->cast<c10::ListType>()) return c10::ListType::create(plain_type(list->getElementType()));
  return type;
}

class Printer {
public:
  Printer() { graph_->set_current_scope(c10::make_intrusive<torch::jit::Scope>()); }

  void add_inputs(const std::vector<Value*>& values) {
    for (const Value* value : values) map_[value] = graph_->addInput()->setType(plain_type(value->type()));
  }

  void add(Node* node) {
    Node* copy = graph_->createClone(node, [this](Value* value) { return mapped(value); });
    copy->setScope(graph_->current_scope());
    graph_->appendNode(copy);
    for (std::size_t i = 0; i < node->outputs().size(); ++i) {
      copy->outputs()[i]->setDebugName("")->setType(plain_type(node->outputs()[i]->type()));
      map_[node->outputs()[i]] = copy->outputs()[i];
    }
    note_line(source_line(*node));
  }

  void set_outputs(const std::vector<Value*>& values) {
    for (const Value* value : values) graph_->registerOutput(map_.at(value));
  }

  runtime::RegionState take() {
    state_.text = graph_->toString(/*print_source_locations=*/false);
    return std::move(state_);
  }

private:
  Value* mapped(Value* value) {
    if (const auto found = map_.find(value); found != map_.end()) return found->second;
    Node* copy = graph_->createClone(value->node(), [](Value* v) { return v; });  // a constant: it has no inputs
    copy->setScope(graph_->current_scope());
    graph_->appendNode(copy);
    note_line("");
    return map_[value] = copy->output()->setDebugName("");
  }

  void note_line(const std::string& line) {
    if (line.empty()) return state_.node_lines.push_back(-1);
    const auto [found, is_new] = index_of_line_.try_emplace(line, static_cast<std::int64_t>(state_.lines.size()));
    if (is_new) state_.lines.push_back(line);
    state_.node_lines.push_back(found->second);
  }

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>();
  std::unordered_map<const Value*, Value*> map_;
  std::unordered_map<std::string, std::int64_t> index_of_line_;
  runtime::RegionState state_;
};

}  // namespace

runtime::RegionState state_from_region(const Region& region, const Options& options) {
  Printer printer;
  printer.add_inputs(region.tensors);
  printer.add_inputs(region.scalars);
  for (Node* node : region.nodes) printer.add(node);
  printer.set_outputs(region.outputs);
  runtime::RegionState state = printer.take();
  for (const Value* value : region.tensors) state.weights.push_back(value->node()->kind() == torch::jit::prim::GetAttr);
  state.options = options;
  return state;
}

}  // namespace torchweld::frontend
