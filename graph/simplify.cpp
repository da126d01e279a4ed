#include <algorithm>
#include <optional>
#include <unordered_map>

#include "graph/op.h"
#include "graph/passes.h"
#include "graph/rewrite.h"

namespace torchweld::graph {
namespace {

/// A node on the operands of the new graph, before it is added.
struct Candidate {
  const Op* op;
  std::vector<Operand> operands;
  const TensorType& type;
};

/// What a rule makes of a candidate: nothing, a value that is there already, or a change of op and operands.
struct Change {
  std::optional<Value> value;
  bool changed = false;
};

const TensorType* type_of(const Graph& graph, const Operand& operand) {
  const Value* value = operand.value();
  return value ? std::get_if<TensorType>(&graph.type(*value)) : nullptr;
}

/// A literal 0 or 1 of any dtype; -0.0 is not 0.
bool is_literal(const Operand& operand, int number) {
  return operand == Operand(double(number)) || operand == Operand(number) || operand == Operand(number == 1);
}

/// Operand `i` stands for the result: same dtype and sizes.
Change forward(const Graph& graph, const Candidate& node, std::size_t i) {
  const TensorType* type = type_of(graph, node.operands[i]);
  if (!type || type->dtype != node.type.dtype || type->sizes != node.type.sizes) return {};
  return {*node.operands[i].value()};
}

/// The node that defines operand 0, when it is an application of `op`.
const Node* producer_of(const Graph& graph, const Candidate& node, const Op* op) {
  const Value* value = node.operands[0].value();
  const std::int32_t index = value ? graph.producer(*value) : -1;
  if (index < 0) return nullptr;
  const Node& producer = graph.nodes()[static_cast<std::size_t>(index)];
  return producer.op == op ? &producer : nullptr;
}

Change change(Candidate& node, std::string_view op, std::vector<Operand> operands) {
  node.op = find_op(op);
  node.operands = std::move(operands);
  return {std::nullopt, true};
}

// x * 1 => x, 1 * x => x
Change multiply(const Graph& graph, Candidate& node) {
  if (is_literal(node.operands[1], 1)) return forward(graph, node, 0);
  if (is_literal(node.operands[0], 1)) return forward(graph, node, 1);
  return {};
}

// x / 1 => x
Change divide(const Graph& graph, Candidate& node) {
  return is_literal(node.operands[1], 1) ? forward(graph, node, 0) : Change{};
}

// a + 1 * b => a + b
Change scaled_add(const Graph&, Candidate& node) {
  if (!is_literal(node.operands[2], 1)) return {};
  return change(node, "torchweld::add", {node.operands[0], node.operands[1]});
}

// a - 1 * b => a - b
Change scaled_sub(const Graph&, Candidate& node) {
  if (!is_literal(node.operands[2], 1)) return {};
  return change(node, "torchweld::sub", {node.operands[0], node.operands[1]});
}

// b - 1 * a => b - a
Change reversed_sub(const Graph&, Candidate& node) {
  if (!is_literal(node.operands[2], 1)) return {};
  return change(node, "torchweld::sub", {node.operands[1], node.operands[0]});
}

// x + -0.0 => x; x + 0 => x for integers. (-0.0 + 0.0 is 0.0.)
Change add(const Graph& graph, Candidate& node) {
  const Operand zero = is_floating(node.type.dtype) ? Operand(-0.0) : Operand(0);
  if (node.operands[1] == zero) return forward(graph, node, 0);
  if (node.operands[0] == zero) return forward(graph, node, 1);
  return {};
}

// x - 0 => x
Change subtract(const Graph& graph, Candidate& node) {
  return is_literal(node.operands[1], 0) ? forward(graph, node, 0) : Change{};
}

/// Every value of `narrow` is a value of `wide`.
bool holds_exactly(DType wide, DType narrow) {
  if (wide == narrow || narrow == DType::b8 || wide == DType::f64) return narrow != DType::i64 || wide == narrow;
  return wide == DType::f32 && (narrow == DType::f16 || narrow == DType::bf16);
}

// cast(x) to its own dtype => x; cast(cast(x)) => cast(x) when the inner one is exact
Change cast(const Graph& graph, Candidate& node) {
  if (const Change same = forward(graph, node, 0); same.value) return same;
  const Node* inner = producer_of(graph, node, node.op);
  const TensorType* source = inner ? type_of(graph, inner->operands[0]) : nullptr;
  if (!source || !holds_exactly(type_of(graph, node.operands[0])->dtype, source->dtype)) return {};
  node.operands[0] = inner->operands[0];
  return {std::nullopt, true};
}

// reshape(x) to its own sizes => x; reshape(reshape(x)) => reshape(x); the same for expand
Change reshape_or_expand(const Graph& graph, Candidate& node) {
  if (const Change same = forward(graph, node, 0); same.value) return same;
  const Node* inner = producer_of(graph, node, node.op);
  if (!inner) return {};
  node.operands[0] = inner->operands[0];
  return {std::nullopt, true};
}

// permute(x, [0, 1, ...]) => x; permute(permute(x, a), b) => permute(x, a[b])
Change permute(const Graph& graph, Candidate& node) {
  const Operand::List& order = *node.operands[1].list();
  bool identity = true;
  for (std::size_t i = 0; i < order.size(); ++i) identity &= order[i] == Operand(static_cast<std::int64_t>(i));
  if (identity) return forward(graph, node, 0);
  const Node* inner = producer_of(graph, node, node.op);
  if (!inner) return {};
  Operand::List composed;
  for (const Operand& dim : order)
    composed.push_back((*inner->operands[1].list())[static_cast<std::size_t>(std::get<std::int64_t>(dim.held))]);
  node.operands = {inner->operands[0], std::move(composed)};
  return {std::nullopt, true};
}

// slice(x, dim, 0, 1) of the whole dim => x
Change slice(const Graph& graph, Candidate& node) {
  return node.operands[3] == Operand(1) ? forward(graph, node, 0) : Change{};
}

using Rule = Change (*)(const Graph&, Candidate&);

const std::unordered_map<const Op*, Rule>& rules() {
  static const std::unordered_map<const Op*, Rule> kRules{
      {find_op("aten::mul.Tensor"), multiply},
      {find_op("aten::mul.Scalar"), multiply},
      {find_op("aten::div.Tensor"), divide},
      {find_op("aten::div.Scalar"), divide},
      {find_op("aten::add.Tensor"), scaled_add},
      {find_op("aten::add.Scalar"), scaled_add},
      {find_op("aten::sub.Tensor"), scaled_sub},
      {find_op("aten::sub.Scalar"), scaled_sub},
      {find_op("aten::rsub.Scalar"), reversed_sub},
      {find_op("torchweld::add"), add},
      {find_op("torchweld::sub"), subtract},
      {find_op("torchweld::cast"), cast},
      {find_op("torchweld::reshape"), reshape_or_expand},
      {find_op("torchweld::expand"), reshape_or_expand},
      {find_op("torchweld::permute"), permute},
      {find_op("torchweld::slice"), slice},
  };
  return kRules;
}

class Simplification {
public:
  explicit Simplification(const Graph& graph)
      : graph_(graph), rewrite_(graph), is_output_(static_cast<std::size_t>(graph.num_values())) {
    for (const Value output : graph.outputs()) is_output_[static_cast<std::size_t>(output.index)] = true;
  }

  Graph run() {
    for (const Node& node : graph_.nodes()) {
      const auto rule = rules().find(node.op);
      if (rule == rules().end())
        rewrite_.copy(node);
      else
        apply_rules(node);
    }
    return rewrite_.finish();
  }

private:
  /// An output keeps a node of its own: its layout is promised, and a caller may write into it.
  void apply_rules(const Node& node) {
    const Value result = node.results.front();
    const bool output = is_output_[static_cast<std::size_t>(result.index)];
    Candidate candidate{node.op, rewrite_.renamed(node.operands), graph_.tensor(result)};
    for (auto rule = rules().find(candidate.op); rule != rules().end(); rule = rules().find(candidate.op)) {
      const Change change = rule->second(rewrite_.out(), candidate);
      if (change.value && !output) return rewrite_.rename(result, *change.value);
      if (!change.changed) break;
    }
    rewrite_.rename(result,
                    rewrite_.out().add_one(*candidate.op, std::move(candidate.operands), candidate.type, node.line));
  }

  const Graph& graph_;
  Rewrite rewrite_;
  std::vector<bool> is_output_;
};

}  // namespace

/// Applies algebraic rules that hold for every value, NaN and signed zero included, until none applies.
Graph simplify(const Graph& graph) { return Simplification(graph).run(); }

}  // namespace torchweld::graph
