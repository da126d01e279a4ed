#include "graph/rewrite.h"

#include "torchweld/error.h"

namespace torchweld::graph {

Rewrite::Rewrite(const Graph& in) : in_(in), renamed_(static_cast<std::size_t>(in.num_values())) {
  for (const Value input : in.inputs()) rename(input, out_.add_input(in.type(input), in.name(input)));
}

Value Rewrite::renamed(Value value) const {
  const Value to = renamed_.at(static_cast<std::size_t>(value.index));
  ensure(to.index >= 0, "a pass renames every value that is used");
  return to;
}

Operand Rewrite::renamed(const Operand& operand) const {
  if (const Value* value = operand.value()) return renamed(*value);
  const Operand::List* list = operand.list();
  if (!list) return operand;
  return renamed(*list);
}

std::vector<Operand> Rewrite::renamed(const std::vector<Operand>& operands) const {
  std::vector<Operand> result;
  result.reserve(operands.size());
  for (const Operand& operand : operands) result.push_back(renamed(operand));
  return result;
}

void Rewrite::copy(const Node& node, std::vector<Operand> operands) {
  std::vector<Type> types;
  for (const Value result : node.results) types.push_back(in_.type(result));
  const std::vector<Value> results = out_.add(*node.op, std::move(operands), std::move(types), node.line);
  for (std::size_t i = 0; i < results.size(); ++i) rename(node.results[i], results[i]);
}

void Rewrite::rename(Value from, Value to) {
  renamed_[static_cast<std::size_t>(from.index)] = to;
  if (out_.name(to).empty()) out_.set_name(to, in_.name(from));
}

Graph Rewrite::finish() {
  std::vector<Value> outputs;
  for (const Value output : in_.outputs()) outputs.push_back(renamed(output));
  out_.set_outputs(std::move(outputs));
  return std::move(out_);
}

}  // namespace torchweld::graph
