#include <algorithm>

#include "graph/passes.h"
#include "graph/rewrite.h"

namespace torchweld::graph {

/// Drops every node that no output depends on. Inputs stay: they are the graph's calling convention.
Graph remove_dead_nodes(const Graph& graph) {
  std::vector<bool> live(static_cast<std::size_t>(graph.num_values()));
  const auto is_live = [&](Value value) { return live[static_cast<std::size_t>(value.index)]; };
  const auto mark = [&](Value value) { live[static_cast<std::size_t>(value.index)] = true; };
  std::for_each(graph.outputs().begin(), graph.outputs().end(), mark);
  bool all_live = true;
  for (std::size_t i = graph.nodes().size(); i-- > 0;) {
    const Node& node = graph.nodes()[i];
    if (!std::any_of(node.results.begin(), node.results.end(), is_live)) {
      all_live = false;
      continue;
    }
    for (const Value value : values_of(node)) mark(value);
    std::for_each(node.results.begin(), node.results.end(), mark);  // a live node keeps all of its results
  }
  if (all_live) return graph;

  Rewrite rewrite(graph);
  for (const Node& node : graph.nodes())
    if (std::any_of(node.results.begin(), node.results.end(), is_live)) rewrite.copy(node);
  return rewrite.finish();
}

}  // namespace torchweld::graph
