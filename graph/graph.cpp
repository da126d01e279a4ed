#include "graph/graph.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "torchweld/error.h"

namespace torchweld::graph {
namespace {

bool same_number(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void append_values(const Operand& operand, std::vector<Value>& values) {
  if (const Value* value = operand.value()) values.push_back(*value);
  if (const Operand::List* list = operand.list())
    for (const Operand& element : *list) append_values(element, values);
}

bool same_node(const Node& a, const Node& b) {
  return a.op == b.op && a.operands == b.operands && a.results == b.results;
}

}  // namespace

Operand::Operand(const Dims& values) : held(List(values.begin(), values.end())) {}

bool Operand::operator==(const Operand& other) const {
  const double* number = std::get_if<double>(&held);
  const double* other_number = std::get_if<double>(&other.held);
  if (number && other_number) return same_number(*number, *other_number);
  return held == other.held;
}

Value Graph::add_input(Type type, std::string name) {
  const Value value{num_values()};
  values_.push_back({std::move(type), -1, std::move(name)});
  inputs_.push_back(value);
  return value;
}

std::vector<Value> Graph::add(const Op& op, std::vector<Operand> operands, std::vector<Type> result_types, int line) {
  Node node{&op, std::move(operands), {}, line};
  for (const Operand& operand : node.operands) require(operand);
  const auto index = static_cast<std::int32_t>(nodes_.size());
  node.results.reserve(result_types.size());
  for (Type& type : result_types) {
    node.results.push_back({num_values()});
    values_.push_back({std::move(type), index, {}});
  }
  nodes_.push_back(std::move(node));
  return nodes_.back().results;
}

Value Graph::add_one(const Op& op, std::vector<Operand> operands, Type result_type, int line) {
  std::vector<Type> types;
  types.push_back(std::move(result_type));
  return add(op, std::move(operands), std::move(types), line).front();
}

void Graph::set_outputs(std::vector<Value> outputs) {
  for (const Value value : outputs) require(value);
  outputs_ = std::move(outputs);
}

const TensorType& Graph::tensor(Value value) const {
  const TensorType* type = std::get_if<TensorType>(&at(value).type);
  ensure(type != nullptr, "a value asked for its tensor type is a typed tensor");
  return *type;
}

void Graph::set_name(Value value, std::string name) { at(value).name = std::move(name); }

void Graph::set_type(Value value, Type type) { at(value).type = std::move(type); }

void Graph::require(Value value) const {
  ensure(value.index >= 0 && value.index < num_values(), "a value belongs to the graph it is used with");
}

void Graph::require(const Operand& operand) const {
  if (const Value* value = operand.value()) require(*value);
  if (const Operand::List* list = operand.list())
    for (const Operand& element : *list) require(element);
}

const Graph::Definition& Graph::at(Value value) const {
  require(value);
  return values_[static_cast<std::size_t>(value.index)];
}

Graph::Definition& Graph::at(Value value) {
  require(value);
  return values_[static_cast<std::size_t>(value.index)];
}

bool Graph::operator==(const Graph& other) const {
  if (inputs_ != other.inputs_ || outputs_ != other.outputs_ || values_.size() != other.values_.size()) return false;
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (values_[i].type != other.values_[i].type) return false;
  return std::equal(nodes_.begin(), nodes_.end(), other.nodes_.begin(), other.nodes_.end(), same_node);
}

std::vector<Value> values_of(const Node& node) {
  std::vector<Value> values;
  for (const Operand& operand : node.operands) append_values(operand, values);
  return values;
}

std::vector<Value> values_of(const Operand& operand) {
  std::vector<Value> values;
  append_values(operand, values);
  return values;
}

}  // namespace torchweld::graph
