#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>

#include "graph/op.h"
#include "graph/passes.h"
#include "torchweld/error.h"

namespace torchweld {
namespace {

using graph::Graph;

/// What the types of a region's inputs say of a call.
graph::CallFacts facts_of(const Graph& region) {
  graph::CallFacts facts;
  for (const graph::Value input : region.inputs()) {
    const graph::Type& type = region.type(input);
    if (const auto* tensor = std::get_if<graph::TensorType>(&type)) {
      facts.inputs.emplace_back(*tensor);
      if (tensor->device == graph::Device::cuda) facts.place.device = graph::Device::cuda;
    } else if (const auto* scalar = std::get_if<graph::ScalarType>(&type)) {
      facts.inputs.emplace_back(graph::ScalarFact{scalar->dtype, std::nullopt});
    } else {
      facts.inputs.emplace_back(graph::None{});
    }
  }
  return facts;
}

Graph require_supported(std::variant<Graph, graph::Unsupported> result) {
  if (const auto* why = std::get_if<graph::Unsupported>(&result))
    throw Error("not supported: " + why->reason + ": " + why->where);
  return std::get<Graph>(std::move(result));
}

Graph run_pass(const Graph& graph, const std::string& name) {
  if (name == "infer") return require_supported(graph::infer(graph, facts_of(graph)));
  if (name == "lower") return require_supported(graph::lower(graph));
  for (const graph::NamedPass& pass : graph::passes())
    if (pass.name == name) return pass.run(graph);
  std::string known = "infer lower";
  for (const graph::NamedPass& pass : graph::passes()) known.append(" ").append(pass.name);
  throw Error("unknown pass " + name + ", expected one of: " + known);
}

int run(const std::vector<std::string>& names) {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  Graph graph = graph::parse(text);
  graph::verify(graph);
  for (const std::string& name : names) {
    graph = run_pass(graph, name);
    try {
      graph::verify(graph);
    } catch (const InternalError& error) {
      throw InternalError("after " + name + ": " + error.what());
    }
  }
  std::cout << graph::to_text(graph);
  return 0;
}

/// One line per row: name, and the expression of a pointwise op.
int print_ops() {
  for (const graph::Op& op : graph::ops()) {
    std::cout << op.name;
    if (const auto* expr = std::get_if<graph::Expr>(&op.body)) std::cout << '\t' << expr->text;
    std::cout << '\n';
  }
  return 0;
}

}  // namespace
}  // namespace torchweld

int main(int argc, char** argv) {
  CLI::App app{"Runs passes on the text of a graph: torchweld-opt --pass=infer,lower,simplify < graph.txt"};
  std::vector<std::string> names;
  app.add_option("--pass", names, "passes in order: infer (input types come from the text), lower, or a pass by name")
      ->delimiter(',');
  bool list_ops = false;
  app.add_flag("--ops", list_ops, "print the op table instead: name and expression of each row");
  CLI11_PARSE(app, argc, argv);
  try {
    return list_ops ? torchweld::print_ops() : torchweld::run(names);
  } catch (const std::exception& error) {
    std::cerr << "torchweld-opt: " << error.what() << '\n';
    return 2;
  }
}
