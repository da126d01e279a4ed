#include "graph/passes.h"

#include <array>

#include "torchweld/error.h"

namespace torchweld::graph {

Graph merge_common_subexpressions(const Graph& graph);  // each in the file of its name
Graph remove_dead_nodes(const Graph& graph);
Graph simplify(const Graph& graph);

namespace {

constexpr std::array kPasses{
    NamedPass{"merge_common_subexpressions", merge_common_subexpressions},
    NamedPass{"remove_dead_nodes", remove_dead_nodes},
    NamedPass{"simplify", simplify},
};

constexpr std::array kPrimitivePipeline{
    NamedPass{"simplify", simplify},
    NamedPass{"merge_common_subexpressions", merge_common_subexpressions},
    NamedPass{"remove_dead_nodes", remove_dead_nodes},
};

}  // namespace

std::span<const NamedPass> passes() { return kPasses; }

Graph simplify_primitives(const Graph& primitive) {
  Graph graph = primitive;
  for (const NamedPass& pass : kPrimitivePipeline) {
    graph = pass.run(graph);
    try {
      verify(graph);
    } catch (const InternalError& error) {
      throw InternalError("after " + std::string(pass.name) + ": " + error.what());
    }
  }
  return graph;
}

}  // namespace torchweld::graph
