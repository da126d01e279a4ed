#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace torchweld::report {
namespace {

/// In quotes, with line ends as Graphviz writes them.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

/// How edges call a kernel: by its name, and by its position where several have that name.
std::string name_in_edges(const Plan& plan, std::size_t index) {
  const std::string& name = plan.kernels[index].name;
  const auto same = std::count_if(plan.kernels.begin(), plan.kernels.end(),
                                  [&](const Kernel& kernel) { return kernel.name == name; });
  return same == 1 ? name : fmt::format("{} (kernel {})", name, index + 1);
}

std::string label_of(const Kernel& kernel) {
  return fmt::format("{}\n{}\n{} -> {}\nreads {}, writes {}", kernel.name, kernel.schedule,
                     kernel.inputs.empty() ? "()" : kernel.inputs, kernel.outputs, bytes_text(kernel.bytes_read),
                     bytes_text(kernel.bytes_written));
}

void write_plan(std::string& out, const Plan& plan, const std::string& id, const std::string& title) {
  const auto node = [&](const std::string& name) { return quoted(id + " " + name); };
  out += fmt::format("  subgraph {} {{\n    label={};\n", quoted("cluster " + id), quoted(title));
  for (std::size_t i = 0; i < plan.kernels.size(); ++i)
    out += fmt::format("    {} [label={}];\n", node(name_in_edges(plan, i)), quoted(label_of(plan.kernels[i])));
  const auto from_input = [](const Edge& edge) { return edge.from == "input"; };
  if (std::any_of(plan.edges.begin(), plan.edges.end(), from_input))
    out += fmt::format("    {} [label=\"input\", shape=ellipse];\n", node("input"));
  for (const Edge& edge : plan.edges)
    out += fmt::format("    {} -> {} [label={}];\n", node(edge.from), node(edge.to),
                       quoted(fmt::format("{}\n{}\n{}", edge.value, bytes_text(edge.bytes), edge.reason)));
  out += "  }\n";
}

}  // namespace

std::string dot_of(const Report& report) {
  std::string out = fmt::format("digraph {} {{\n  node [shape=box];\n", quoted(report.model));
  for (const Method& method : report.methods) {
    for (const Region& region : method.regions) {
      if (same_region(method, region) != nullptr) continue;
      for (std::size_t i = 0; i < region.plans.size(); ++i) {
        const std::string title = fmt::format("{}.{}\nfor {}", method.name, region.name, region.plans[i].signature);
        write_plan(out, region.plans[i], fmt::format("{}.{}.{}", method.name, region.name, i), title);
      }
    }
  }
  return out + "}\n";
}

}  // namespace torchweld::report
