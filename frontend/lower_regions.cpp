#include "frontend/lower_regions.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "frontend/region_text.h"
#include "runtime/region.h"

namespace torchweld::frontend {
namespace {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Value;
namespace prim = torch::jit::prim;

constexpr std::string_view kPrefix = "torchweld_region_";

/// How many regions `self` holds already, from its other methods or an earlier optimization.
std::size_t count_regions(const Module& self) {
  const auto& attributes = self.type()->getAttributes();
  return static_cast<std::size_t>(std::count_if(attributes.begin(), attributes.end(), [](const auto& attribute) {
    return std::string_view(attribute.getName()).substr(0, kPrefix.size()) == kPrefix;
  }));
}

class Lowering {
public:
  Lowering(Graph& graph, Module& self, const Borders& borders, const Options& options)
      : graph_(graph), self_(self), borders_(borders), next_number_(count_regions(self)),
        names_(borders.regions.size()) {
    // Printed before anything moves: a call that is put in place replaces values that later regions mention.
    for (const Region& region : borders.regions) states_.push_back(state_from_region(region, options));
  }

  void reorder(const BlockOrder& order) {
    for (const Placed& item : order.items) {
      if (const auto* node = std::get_if<Node*>(&item)) {
        (*node)->moveBefore(order.block->return_node());
      } else {
        insert_call(std::get<std::size_t>(item), order.block->return_node());
      }
    }
  }

  /// Runs after every block is in order, since nested blocks hold uses of outer nodes.
  void remove_nodes(Block* block) {
    for (auto node = block->nodes().rbegin(); node != block->nodes().rend(); ++node) {
      for (Block* nested : node->blocks()) remove_nodes(nested);
      if (borders_.removed.count(*node) != 0 && !node->hasUses()) node.destroyCurrent();
    }
  }

  std::vector<std::string> names() { return std::move(names_); }

private:
  void insert_call(std::size_t r, Node* before) {
    const Region& region = borders_.regions[r];
    const torch::jit::WithInsertPoint at(before);
    c10::IValue object(runtime::make_region(std::move(states_[r])));
    const c10::TypePtr type = object.type();
    names_[r] = add_attribute(std::move(object));
    Value* attribute = graph_.insertNode(graph_.createGetAttr(graph_.inputs()[0], names_[r]))->output();
    Value* tensors = insert_list(c10::OptionalType::create(c10::TensorType::get()), current(region.tensors));
    Value* scalars = insert_list(c10::NumberType::get(), numbers(current(region.scalars)));
    Node* call = graph_.create(c10::Symbol::fromQualString("torchweld::execute"), {tensors, scalars, attribute}, 1);
    call->output()->setType(c10::ListType::ofTensors());
    copy_place(region, graph_.insertNode(call));
    Node* unpack = graph_.insertNode(graph_.createListUnpack(call->output(), region.outputs.size()));
    for (std::size_t i = 0; i < region.outputs.size(); ++i) replace(region.outputs[i], unpack->outputs()[i]);
  }

  std::string add_attribute(c10::IValue region) {
    std::string name;
    do name = std::string(kPrefix) + std::to_string(next_number_++);
    while (self_.type()->hasAttribute(name));
    const std::size_t slot = self_.type()->addAttribute(name, region.type());
    self_._ivalue()->setSlot(slot, std::move(region));
    return name;
  }

  /// Errors of the call point at the region's last line.
  static void copy_place(const Region& region, Node* call) { call->setSourceRange(region.nodes.back()->sourceRange()); }

  /// The values that stand for `values` now.
  [[nodiscard]] std::vector<Value*> current(std::vector<Value*> values) const {
    for (Value*& value : values)
      if (const auto found = replaced_.find(value); found != replaced_.end()) value = found->second;
    return values;
  }

  Value* insert_list(const c10::TypePtr& element, const std::vector<Value*>& values) {
    return graph_.insertNode(graph_.createList(element, values))->output();
  }

  /// A list of numbers takes no bool.
  std::vector<Value*> numbers(const std::vector<Value*>& scalars) {
    std::vector<Value*> values;
    for (Value* scalar : scalars) {
      const bool is_bool = scalar->type()->kind() == c10::TypeKind::BoolType;
      values.push_back(is_bool ? graph_.insert(torch::jit::aten::Int, {scalar}) : scalar);
    }
    return values;
  }

  void replace(Value* value, Value* with) {
    with->setType(value->type());
    const std::string name = value->hasDebugName() ? value->debugName() : "";
    value->replaceAllUsesWith(with);
    replaced_.emplace(value, with);
    if (!name.empty()) {
      value->setDebugName("");
      with->setDebugName(name);
    }
  }

  Graph& graph_;
  Module& self_;
  const Borders& borders_;
  std::size_t next_number_;
  std::vector<runtime::RegionState> states_;
  std::vector<std::string> names_;
  std::unordered_map<const Value*, Value*> replaced_;
};

}  // namespace

std::vector<std::string> lower_regions(Graph& graph, Module& self, const Borders& borders,
                                       const std::vector<BlockOrder>& orders, const Options& options) {
  Lowering lowering(graph, self, borders, options);
  for (const BlockOrder& order : orders) lowering.reorder(order);
  lowering.remove_nodes(graph.block());
  return lowering.names();
}

}  // namespace torchweld::frontend
