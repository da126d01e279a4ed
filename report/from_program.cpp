#include "report/from_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace torchweld::report {
namespace {

using graph::Value;

/// "%w f32[512]"; values without a name by their index.
std::string value_text(const graph::Graph& graph, Value value) {
  const std::string& name = graph.name(value);
  return fmt::format("%{} {}", name.empty() ? std::to_string(value.index) : name, type_text(graph.type(value)));
}

/// The types of what `accesses` refer to, each value once.
std::string types_of(const graph::Graph& graph, const std::vector<Value>& values) {
  std::vector<Value> seen;
  std::vector<std::string> texts;
  for (const Value value : values) {
    if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
    seen.push_back(value);
    texts.push_back(type_text(graph.type(value)));
  }
  return fmt::format("{}", fmt::join(texts, " "));
}

/// Of two kernels of a group, the one that combines partial results reads next to nothing.
Kernel kernel_from(const graph::Graph& graph, const fusion::Group& group, const codegen::Kernel& kernel,
                   std::int64_t partial_bytes) {
  const bool is_second = partial_bytes > 0;
  std::vector<Value> read, written;
  std::vector<bool> stored(group.accesses.size());
  for (const fusion::Store& store : group.stores) stored.at(static_cast<std::size_t>(store.access)) = true;
  for (std::size_t i = 0; i < group.accesses.size(); ++i)
    (stored[i] ? written : read).push_back(group.accesses[i].value);
  return {.name = kernel.name,
          .schedule = kernel.schedule,
          .inputs = types_of(graph, read),
          .outputs = types_of(graph, written),
          .bytes_read = is_second ? partial_bytes : group.bytes_read,
          .bytes_written = kernel.partial_bytes > 0 ? kernel.partial_bytes : group.bytes_written,
          .bytes_eager = is_second ? 0 : group.bytes_eager,
          .resources = std::nullopt};
}

/// Names are not unique within a plan: later ones of the same name get their position.
std::string kernel_name(const codegen::Program& program, int group) {
  if (group < 0) return "input";
  const auto last = std::find_if(program.kernels.rbegin(), program.kernels.rend(),
                                 [&](const codegen::Kernel& kernel) { return kernel.group == group; });
  const auto index = static_cast<std::size_t>(program.kernels.rend() - last) - 1;
  const std::string& name = program.kernels.at(index).name;
  const auto same = [&](const codegen::Kernel& other) { return other.name == name; };
  if (std::count_if(program.kernels.begin(), program.kernels.end(), same) == 1) return name;
  return fmt::format("{} (kernel {})", name, index + 1);
}

Edge edge_from(const codegen::Program& program, const fusion::Edge& edge) {
  return {.value = value_text(program.graph, edge.value),
          .from = kernel_name(program, edge.from_group),
          .to = kernel_name(program, edge.to_group),
          .reason = std::string(fusion::name_of(edge.refusal.reason)),
          .details = edge.refusal.details,
          .bytes = edge.bytes};
}

}  // namespace

std::string type_text(const graph::Type& type) {
  if (const auto* scalar = std::get_if<graph::ScalarType>(&type)) return std::string(graph::name_of(scalar->dtype));
  const auto* tensor = std::get_if<graph::TensorType>(&type);
  if (!tensor) return "?";
  std::string text = fmt::format("{}[{}]", graph::name_of(tensor->dtype), fmt::join(tensor->sizes, ","));
  if (tensor->strides != graph::contiguous_strides(tensor->sizes))
    text += fmt::format("{{{}}}", fmt::join(tensor->strides, ","));
  return text;
}

Plan plan_from(const codegen::Program& program) {
  Plan plan;
  std::vector<std::string> inputs;
  for (const Value value : program.graph.inputs()) inputs.push_back(type_text(program.graph.type(value)));
  plan.signature = fmt::format("{}", fmt::join(inputs, " "));
  for (std::size_t i = 0; i < program.kernels.size(); ++i)
    plan.kernels.push_back(kernel_from(program.graph,
                                       program.plan.groups.at(static_cast<std::size_t>(program.kernels[i].group)),
                                       program.kernels[i], i > 0 ? program.kernels[i - 1].partial_bytes : 0));
  for (const fusion::Edge& edge : program.plan.edges) plan.edges.push_back(edge_from(program, edge));
  plan.bytes_eager = program.plan.bytes_eager;
  plan.bytes_planned = program.plan.bytes_planned;
  plan.bytes_ideal = program.plan.bytes_ideal;
  return plan;
}

}  // namespace torchweld::report
