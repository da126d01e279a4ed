#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>

#include "cli/opt/call_facts.h"
#include "cli/opt/print_kernels.h"
#include "codegen/kernel.h"
#include "graph/op.h"
#include "graph/passes.h"
#include "torchweld/error.h"

namespace torchweld {
namespace {

using graph::Graph;

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

std::string standard_input() { return {std::istreambuf_iterator<char>(std::cin), {}}; }

int run(const std::vector<std::string>& names) {
  const std::string text = standard_input();
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

/// One line per row: name, the expression of a pointwise op, and the op's class.
int print_ops() {
  constexpr std::string_view kClasses[] = {"pointwise", "reduction", "view", "creation", "cat", "composite", "scalar"};
  static_assert(std::size(kClasses) == std::variant_size_v<graph::Body>);
  for (const graph::Op& op : graph::ops()) {
    const auto* expr = std::get_if<graph::Expr>(&op.body);
    std::cout << op.name << '\t' << (expr ? expr->text : "") << '\t' << kClasses[op.body.index()] << '\n';
  }
  return 0;
}

int print_kernels(const std::string& backend) {
  std::cout << kernels_as_json(standard_input(), backend) << '\n';
  return 0;
}

int print_prelude(const std::string& backend) {
  std::cout << codegen::prelude(backend == "host" ? codegen::Backend::host : codegen::Backend::cuda);
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
  app.add_flag("--ops", list_ops, "print the op table instead: name, expression and class of each row");
  std::string kernels;
  const CLI::IsMember backends({"host", "cuda"});
  app.add_option("--kernels", kernels, "print the kernels of each graph that follows instead, as JSON: host or cuda")
      ->check(backends);
  std::string prelude;
  app.add_option("--prelude", prelude, "print what is placed before every kernel instead: host or cuda")
      ->check(backends);
  CLI11_PARSE(app, argc, argv);
  try {
    if (!kernels.empty()) return torchweld::print_kernels(kernels);
    if (!prelude.empty()) return torchweld::print_prelude(prelude);
    return list_ops ? torchweld::print_ops() : torchweld::run(names);
  } catch (const std::exception& error) {
    std::cerr << "torchweld-opt: " << error.what() << '\n';
    return 2;
  }
}
