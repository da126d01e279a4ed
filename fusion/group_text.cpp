#include <charconv>
#include <string>

#include "fusion/group.h"
#include "graph/op.h"

namespace torchweld::fusion {

using graph::Graph;
using graph::Value;

namespace {

std::string text_of(const Graph& graph, Value value) {
  const std::string& name = graph.name(value);
  return "%" + (name.empty() ? std::to_string(value.index) : name);
}

/// The shortest text that reads back as the same number.
std::string text_of(double number) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
  std::string text(buffer, end);
  return text.find_first_of(".ein") == std::string::npos ? text + ".0" : text;
}

std::string text_of(const Graph& graph, const Number& number) {
  if (const auto* value = std::get_if<Value>(&number.held)) return text_of(graph, *value);
  if (const auto* integer = std::get_if<std::int64_t>(&number.held)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&number.held)) return text_of(*real);
  return std::get<bool>(number.held) ? "true" : "false";
}

std::string statement_name(StatementIndex index) { return "v" + std::to_string(index.index); }

std::string text_of(const Graph& graph, const Input& input) {
  const auto* index = std::get_if<StatementIndex>(&input);
  return index != nullptr ? statement_name(*index) : text_of(graph, std::get<Number>(input));
}

std::string list_of(const Graph& graph, const std::vector<Input>& inputs) {
  std::string text;
  for (const Input& input : inputs) text += (text.empty() ? "" : ", ") + text_of(graph, input);
  return "(" + text + ")";
}

template <typename Numbers>
std::string joined(const Numbers& numbers) {
  std::string text;
  for (const auto number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

std::string reduction_name(graph::ReductionKind kind) {
  constexpr std::string_view kNames[] = {"sum", "prod", "max", "min", "any", "all", "argmax", "argmin"};
  return std::string(kNames[static_cast<std::size_t>(kind)]);
}

/// Prints one statement's body.
struct BodyText {
  const Graph& graph;
  const Group& group;

  std::string operator()(const Load& load) const {
    return "load a" + std::to_string(load.access) + " " +
           text_of(graph, group.accesses[static_cast<std::size_t>(load.access)].value);
  }
  std::string operator()(const Pointwise& pointwise) const {
    return std::string(pointwise.op->name) + list_of(graph, pointwise.inputs);
  }
  std::string operator()(const Reduce& reduce) const {
    return "reduce " + reduction_name(reduce.kind) + "(" + statement_name(reduce.input) + ")";
  }
  std::string operator()(const Position& position) const {
    return "position " + text_of(graph, position.start) + " + " + text_of(graph, position.step) + " * i" +
           std::to_string(position.axis);
  }
  std::string operator()(const Choose& choose) const {
    return "choose i" + std::to_string(choose.axis) + " [" + joined(choose.bounds) + "]" +
           list_of(graph, choose.inputs);
  }
};

std::string axes_text(const Group& group) {
  std::string text = "axes";
  for (std::size_t axis = 0; axis < group.axes.size(); ++axis)
    text += (axis == 0 ? " i" : ", i") + std::to_string(axis) + ": " + std::to_string(group.axes[axis].extent) +
            (group.axes[axis].reduced ? " reduced" : "");
  return text + "\n";
}

std::string access_text(const Graph& graph, const Access& access) {
  std::string text(graph::name_of(access.dtype));
  text +=
      " " + text_of(graph, access.value) + " + " + std::to_string(access.offset) + " {" + joined(access.strides) + "}";
  if (access.guard)
    text += " where " + std::to_string(access.guard->begin) + " <= i" + std::to_string(access.guard->axis) + " < " +
            std::to_string(access.guard->end);
  return text;
}

std::string spans_text(const Statement& statement) {
  std::string text;
  for (std::size_t axis = 0; axis < statement.spans.size(); ++axis)
    if (statement.spans[axis]) text += (text.empty() ? "i" : ",i") + std::to_string(axis);
  return "[" + text + "]";
}

}  // namespace

std::string to_text(const Graph& graph, const Group& group) {
  std::string text = axes_text(group);
  for (std::size_t at = 0; at < group.accesses.size(); ++at)
    text += "a" + std::to_string(at) + ": " + access_text(graph, group.accesses[at]) + "\n";
  for (std::size_t at = 0; at < group.statements.size(); ++at) {
    const Statement& statement = group.statements[at];
    text += "v" + std::to_string(at) + ": " + std::string(graph::name_of(statement.dtype)) + spans_text(statement) +
            " = " + std::visit(BodyText{graph, group}, statement.body) + "\n";
  }
  for (const Store& store : group.stores)
    text += "store a" + std::to_string(store.access) + " " +
            text_of(graph, group.accesses[static_cast<std::size_t>(store.access)].value) + " = " +
            statement_name(store.statement) + "\n";
  return text;
}

}  // namespace torchweld::fusion
