#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"

namespace torchweld::graph {

/// Rebuilds a graph node by node: what every pass is written with. Inputs are copied at once; each value that a later
/// node or an output uses must have been copied or renamed.
class Rewrite {
public:
  explicit Rewrite(const Graph& in);

  [[nodiscard]] Graph& out() { return out_; }
  /// The value of the new graph that stands for `value`.
  [[nodiscard]] Value renamed(Value value) const;
  [[nodiscard]] Operand renamed(const Operand& operand) const;
  [[nodiscard]] std::vector<Operand> renamed(const std::vector<Operand>& operands) const;

  /// Adds `node` on renamed operands.
  void copy(const Node& node) { copy(node, renamed(node.operands)); }
  void copy(const Node& node, std::vector<Operand> operands);
  /// Lets `to`, a value of the new graph, stand for `from`.
  void rename(Value from, Value to);

  /// The new graph, with the outputs of the old one.
  [[nodiscard]] Graph finish();

private:
  const Graph& in_;
  Graph out_;
  std::vector<Value> renamed_;
};

}  // namespace torchweld::graph
