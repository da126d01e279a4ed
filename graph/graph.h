#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "graph/types.h"

namespace torchweld::graph {

struct Op;  // a row of the op table, graph/op.h

/// An SSA value of one Graph, by position.
struct Value {
  std::int32_t index = -1;
  auto operator<=>(const Value&) const = default;
};

struct None {
  bool operator==(const None&) const = default;
};

/// What a node is applied to: a value of the graph, a literal, or a list of operands.
struct Operand {
  using List = std::vector<Operand>;
  std::variant<None, Value, std::int64_t, double, bool, std::string, List> held;

  Operand() = default;
  Operand(None) {}
  Operand(Value value) : held(value) {}
  Operand(std::int64_t value) : held(value) {}
  Operand(int value) : held(std::int64_t{value}) {}
  Operand(double value) : held(value) {}
  Operand(bool value) : held(value) {}
  Operand(std::string value) : held(std::move(value)) {}
  Operand(const char* value) : held(std::string(value)) {}  ///< else a literal would become a bool
  Operand(List value) : held(std::move(value)) {}
  Operand(const Dims& values);  ///< a list of int literals

  [[nodiscard]] bool is_none() const { return std::holds_alternative<None>(held); }
  [[nodiscard]] const Value* value() const { return std::get_if<Value>(&held); }
  [[nodiscard]] const List* list() const { return std::get_if<List>(&held); }
  bool operator==(const Operand& other) const;  ///< floats by their bits, so that -0.0 is not 0.0; every NaN is equal
};

/// One application of an op. `line` indexes the region's source-line table; -1 when unknown.
struct Node {
  const Op* op = nullptr;
  std::vector<Operand> operands;
  std::vector<Value> results;
  int line = -1;
};

/// A straight-line, side-effect-free tensor program. A plain value: copy it, compare it, return it.
/// Nodes are in topological order, since add() accepts only values that already exist.
///
/// Three forms of one structure:
///   region      as translated from TorchScript: TorchScript's ops, values untyped, scalar and list nodes present;
///   typed       after infer(): every value has its type, scalar nodes are folded, scalars are literals or inputs;
///   primitive   after lower(): typed, and every op is of class pointwise, reduction, view or creation (see op.h).
class Graph {
public:
  /// Adds an input. `name` is for people only: it is printed, never compared.
  Value add_input(Type type, std::string name = {});
  /// Appends a node with one result per type. Throws InternalError when an operand is not a value of this graph.
  std::vector<Value> add(const Op& op, std::vector<Operand> operands, std::vector<Type> result_types, int line = -1);
  /// add() for an op with one result.
  Value add_one(const Op& op, std::vector<Operand> operands, Type result_type, int line = -1);
  void set_outputs(std::vector<Value> outputs);

  [[nodiscard]] std::span<const Value> inputs() const { return inputs_; }
  [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }
  [[nodiscard]] std::span<const Value> outputs() const { return outputs_; }
  [[nodiscard]] std::int32_t num_values() const { return static_cast<std::int32_t>(values_.size()); }

  [[nodiscard]] const Type& type(Value value) const { return at(value).type; }
  /// The tensor type of `value`; throws InternalError when it is not a typed tensor.
  [[nodiscard]] const TensorType& tensor(Value value) const;
  /// Index of the node that defines `value`; -1 for an input.
  [[nodiscard]] std::int32_t producer(Value value) const { return at(value).producer; }
  [[nodiscard]] const std::string& name(Value value) const { return at(value).name; }
  void set_name(Value value, std::string name);
  /// Replaces the type of `value`: a composite whose result has a layout of its own gives it to its last node.
  void set_type(Value value, Type type);

  /// Same inputs, nodes, types and outputs; names and lines do not count.
  bool operator==(const Graph& other) const;

private:
  struct Definition {
    Type type;
    std::int32_t producer = -1;
    std::string name;
  };
  void require(Value value) const;  ///< throws InternalError unless `value` is one of this graph
  void require(const Operand& operand) const;
  [[nodiscard]] const Definition& at(Value value) const;
  [[nodiscard]] Definition& at(Value value);

  std::vector<Value> inputs_;
  std::vector<Node> nodes_;
  std::vector<Value> outputs_;
  std::deque<Definition> values_;  // so that a reference to a type stays valid while nodes are added
};

/// The values among a node's operands, in order, lists flattened.
[[nodiscard]] std::vector<Value> values_of(const Node& node);
[[nodiscard]] std::vector<Value> values_of(const Operand& operand);

}  // namespace torchweld::graph
