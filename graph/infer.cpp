#include <algorithm>

#include "graph/arguments.h"
#include "graph/op.h"
#include "graph/passes.h"
#include "graph/pointwise.h"

namespace torchweld::graph {
namespace {

bool has_many_bytes(const TensorType& type) {
  std::int64_t bytes = size_of(type.dtype);
  for (const std::int64_t size : type.sizes)
    if (size != 0 && __builtin_mul_overflow(bytes, size, &bytes)) return true;
  return false;
}

/// Types one region for one call.
class Inference {
public:
  Inference(const Graph& region, const CallFacts& facts)
      : region_(region), facts_(facts), known_(static_cast<std::size_t>(region.num_values())) {}

  Graph run() {
    bind_inputs();
    for (const Node& node : region_.nodes()) infer_node(node);
    std::vector<Value> outputs;
    for (const Value output : region_.outputs()) {
      const Value* value = known(output).value();
      if (!value || !std::holds_alternative<TensorType>(typed_.type(*value)))
        throw Refused{{"op_form", "an output is not a tensor"}};
      outputs.push_back(*value);
    }
    typed_.set_outputs(std::move(outputs));
    return std::move(typed_);
  }

private:
  Operand& known(Value value) { return known_[static_cast<std::size_t>(value.index)]; }

  void bind_inputs() {
    if (facts_.inputs.size() != region_.inputs().size())
      throw Refused{{"op_form", "found facts of " + std::to_string(facts_.inputs.size()) + " inputs, expected " +
                                    std::to_string(region_.inputs().size())}};
    for (std::size_t i = 0; i < facts_.inputs.size(); ++i) bind_input(region_.inputs()[i], facts_.inputs[i]);
  }

  void bind_input(Value input, const std::variant<TensorType, None, ScalarFact>& fact) {
    const std::string& name = region_.name(input);
    if (const auto* type = std::get_if<TensorType>(&fact)) {
      if (has_many_bytes(*type)) throw Refused{{"too_large", "input " + name}};
      known(input) = typed_.add_input(*type, name);
    } else if (const auto* scalar = std::get_if<ScalarFact>(&fact)) {
      const Value value = typed_.add_input(ScalarType{scalar->dtype}, name);
      known(input) = scalar->value ? *scalar->value : Operand(value);
    } else {
      typed_.add_input(UntypedTensor{}, name);  // a missing tensor keeps its place among the inputs
    }
  }

  /// `operand` with each value replaced by what is known of it.
  Operand resolve(const Operand& operand) {
    if (const Value* value = operand.value()) return known(*value);
    const Operand::List* list = operand.list();
    if (!list) return operand;
    Operand::List resolved;
    for (const Operand& element : *list) resolved.push_back(resolve(element));
    return resolved;
  }

  void infer_node(const Node& node) {
    std::vector<Operand> operands;
    for (const Operand& operand : node.operands) operands.push_back(resolve(operand));
    const Arguments arguments(typed_, *node.op, operands, facts_.default_dtype, facts_.place);
    if (const auto* scalar = std::get_if<Scalar>(&node.op->body))
      return bind_results(node, scalar->evaluate(arguments), arguments);
    std::vector<Type> types;
    if (const auto* composite = std::get_if<Composite>(&node.op->body)) {
      for (TensorType& type : composite->infer(arguments)) types.emplace_back(std::move(type));
    } else if (is_pointwise(*node.op) && node.op->promotion != Promotion::Cast) {
      types.emplace_back(infer_pointwise(arguments));
      if (node.op->promotion == Promotion::Predicate) convert_to_common(node, arguments, operands);
    } else {
      arguments.refuse("op_form", "is not an op of TorchScript");
    }
    for (const Type& type : types)
      if (has_many_bytes(std::get<TensorType>(type))) arguments.refuse("too_large", to_text(type));
    const std::vector<Value> values = typed_.add(*node.op, std::move(operands), std::move(types), node.line);
    bind_results(node, {values.begin(), values.end()}, arguments);
  }

  void bind_results(const Node& node, std::vector<Operand> results, const Arguments& arguments) {
    if (node.results.size() == 1 && std::holds_alternative<ListType>(region_.type(node.results[0])) &&
        !(results.size() == 1 && results[0].list())) {  // chunk, split: many tensors as one list
      known(node.results[0]) = std::move(results);
      return;
    }
    if (results.size() != node.results.size())
      arguments.refuse("op_form", "has " + std::to_string(results.size()) + " results, the region takes " +
                                      std::to_string(node.results.size()));
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (const Value* value = results[i].value()) typed_.set_name(*value, region_.name(node.results[i]));
      known(node.results[i]) = std::move(results[i]);
    }
  }

  /// A comparison whose dtype depends on the default dtype gets operands of that dtype, so that the types of its
  /// operands alone say what it is computed in (compute_dtype() takes f32 for the default dtype).
  void convert_to_common(const Node& node, const Arguments& arguments, std::vector<Operand>& operands) {
    if (facts_.default_dtype == DType::f32) return;
    const DType common = common_dtype(arguments);
    if (common == common_dtype({typed_, *node.op, operands, DType::f32, facts_.place})) return;
    static const Op& cast = *find_op("torchweld::cast");
    for (Operand& operand : operands) {
      const TensorType* type = arguments.tensor_type(operand);
      if (!type) continue;
      TensorType converted = *type;
      converted.dtype = common;
      converted.wrapped_number = false;
      operand = typed_.add_one(cast, {operand}, converted, node.line);
    }
  }

  const Graph& region_;
  const CallFacts& facts_;
  Graph typed_;
  std::vector<Operand> known_;  // per value of the region: a typed value, a literal, a list of these, or None
};

/// True when a number at this place of a node may be unknown while planning.
bool may_be_open(const Op& op) {
  const auto* composite = std::get_if<Composite>(&op.body);
  return is_pointwise(op) || (composite && composite->open_numbers);
}

}  // namespace

std::vector<bool> inputs_needed_while_planning(const Graph& region) {
  std::vector<bool> needed(static_cast<std::size_t>(region.num_values()));
  for (const Node& node : region.nodes()) {
    const bool open = may_be_open(*node.op);
    for (const Operand& operand : node.operands) {
      if (open && operand.value()) continue;
      for (const Value value : values_of(operand)) needed[static_cast<std::size_t>(value.index)] = true;
    }
  }
  std::vector<bool> inputs;
  for (const Value input : region.inputs())
    inputs.push_back(std::holds_alternative<ScalarType>(region.type(input)) &&
                     needed[static_cast<std::size_t>(input.index)]);
  return inputs;
}

std::variant<Graph, Unsupported> infer(const Graph& region, const CallFacts& facts) {
  try {
    return Inference(region, facts).run();
  } catch (const Refused& refused) {
    return refused.why;
  }
}

}  // namespace torchweld::graph
