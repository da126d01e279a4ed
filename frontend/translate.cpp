#include "frontend/translate.h"

#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/ir/irparser.h>

#include <unordered_map>

#include "frontend/names.h"
#include "graph/op.h"
#include "runtime/region.h"
#include "torchweld/error.h"

namespace torchweld::frontend {
namespace {

using graph::DType;
using graph::Operand;
using torch::jit::Node;
using torch::jit::Value;

template <class Items>
Operand list_of(const Items& items) {
  Operand::List list;
  for (const auto& item : items) list.emplace_back(item);
  return list;
}

Operand literal_from(const c10::IValue& value) {
  if (value.isNone()) return graph::None{};
  if (value.isBool()) return value.toBool();
  if (value.isInt()) return value.toInt();
  if (value.isDouble()) return value.toDouble();
  if (value.isString()) return value.toStringRef();
  if (value.isDevice()) return value.toDevice().str();
  if (value.isIntList()) return list_of(value.toIntVector());
  if (value.isDoubleList()) return list_of(value.toDoubleVector());
  if (value.isBoolList()) {
    Operand::List list;
    for (const bool item : value.toBoolList()) list.emplace_back(item);
    return list;
  }
  throw Error("region: a constant of type " + value.tagKind() + ", expected a number, text, None or a list of numbers");
}

graph::Type type_from(const c10::TypePtr& type) {
  switch (type->kind()) {
  case c10::TypeKind::IntType:
    return graph::ScalarType{DType::i64};
  case c10::TypeKind::FloatType:
    return graph::ScalarType{DType::f64};
  case c10::TypeKind::BoolType:
    return graph::ScalarType{DType::b8};
  case c10::TypeKind::ListType:
    return graph::ListType{};
  case c10::TypeKind::DeviceObjType:
    return graph::ScalarType{DType::i64};  // evaluated while planning: its type is never asked for
  default:
    return graph::UntypedTensor{};
  }
}

class Translation {
public:
  graph::Graph run(torch::jit::Graph& source) {
    for (const Value* input : source.inputs()) operands_.emplace(input, graph_.add_input(type_from(input->type())));
    int line = 0;
    for (const Node* node : source.nodes()) add(*node, line++);
    std::vector<graph::Value> outputs;
    for (const Value* output : source.outputs()) outputs.push_back(value_of(*output));
    graph_.set_outputs(std::move(outputs));
    return std::move(graph_);
  }

private:
  void add(const Node& node, int line) {
    if (node.kind() == torch::jit::prim::Constant) {
      operands_.emplace(node.output(), literal_from(torch::jit::toIValue(node.output()).value()));
      return;
    }
    const std::string name = op_name(node);
    const graph::Op* op = graph::find_op(name);
    if (!op) throw Error("region: node " + std::to_string(line) + " is " + name + ", expected an op of the op table");
    std::vector<Operand> operands;
    for (const Value* input : node.inputs()) operands.push_back(operands_.at(input));
    std::vector<graph::Type> types;
    for (const Value* output : node.outputs()) types.push_back(type_from(output->type()));
    const auto results = graph_.add(*op, std::move(operands), std::move(types), line);
    for (std::size_t i = 0; i < results.size(); ++i) operands_.emplace(node.outputs()[i], results[i]);
  }

  graph::Value value_of(const Value& output) const {
    const graph::Value* value = operands_.at(&output).value();
    if (!value) throw Error("region: an output is a constant, expected a tensor");
    return *value;
  }

  graph::Graph graph_;
  std::unordered_map<const Value*, Operand> operands_;
};

/// Lets the runtime read regions: TorchScript's graphs are known to this folder alone.
[[maybe_unused]] const bool kHandedOver = (runtime::set_translator(&translate), true);

}  // namespace

graph::Graph translate(const std::string& region_text) {
  torch::jit::Graph source;
  torch::jit::parseIR(region_text, &source);
  return Translation().run(source);
}

}  // namespace torchweld::frontend
