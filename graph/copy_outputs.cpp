#include <algorithm>

#include "graph/builder.h"
#include "graph/op.h"
#include "graph/passes.h"

namespace torchweld::graph {
namespace {

/// Whether a node's results are operand 0 or views of it.
bool makes_views(const Op& op) {
  const auto* composite = std::get_if<Composite>(&op.body);
  return is_view(op) || (composite != nullptr && composite->views);
}

/// The value whose memory `value` is. A cast is in the table as a view, but makes new memory where the dtype changes.
Value memory_of(const Graph& graph, Value value) {
  for (std::int32_t at = graph.producer(value); at >= 0; at = graph.producer(value)) {
    const Node& node = graph.nodes()[static_cast<std::size_t>(at)];
    if (!makes_views(*node.op)) return value;
    const Value source = *node.operands[0].value();
    if (graph.tensor(source).dtype != graph.tensor(value).dtype) return value;
    value = source;
  }
  return value;
}

}  // namespace

std::vector<Value> memory_of_outputs(const Graph& typed) {
  std::vector<Value> memory;
  for (const Value output : typed.outputs()) memory.push_back(memory_of(typed, output));
  return memory;
}

Graph copy_outputs(const Graph& primitive, const std::vector<Value>& eager) {
  Graph graph = primitive;
  Builder builder(graph);
  std::vector<Value> outputs(primitive.outputs().begin(), primitive.outputs().end());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Value output = outputs[i];
    const auto shares = [&](std::size_t other) { return outputs[other] == output && eager.at(other) != eager.at(i); };
    const bool in_input = primitive.producer(memory_of(primitive, output)) < 0;
    const bool in_input_in_eager =
        std::find(primitive.inputs().begin(), primitive.inputs().end(), eager.at(i)) != primitive.inputs().end();
    bool copies = in_input && !in_input_in_eager;
    for (std::size_t other = 0; other < i; ++other) copies = copies || shares(other);
    if (copies) outputs[i] = builder.copy(output, primitive.tensor(output));
  }
  graph.set_outputs(std::move(outputs));
  return graph;
}

}  // namespace torchweld::graph
