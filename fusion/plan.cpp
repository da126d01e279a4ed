#include "fusion/plan.h"

#include <algorithm>
#include <numeric>

#include "fusion/merge_groups.h"
#include "fusion/record_edges.h"
#include "torchweld/error.h"

namespace torchweld::fusion {

using graph::Graph;
using graph::Node;
using graph::Unsupported;
using graph::Value;

namespace {

/// Units that are connected by a value or share an input.
std::vector<std::vector<std::int32_t>> connected_units(const Units& units) {
  std::vector<std::int32_t> root(units.base.size() + units.is_unit.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::int32_t at) {
    while (root[static_cast<std::size_t>(at)] != at) {
      auto& up = root[static_cast<std::size_t>(at)];
      up = root[static_cast<std::size_t>(up)];
      at = up;
    }
    return at;
  };
  const auto values = static_cast<std::int32_t>(units.base.size());
  const auto join = [&](std::int32_t unit, Value value) {
    root[static_cast<std::size_t>(find(values + unit))] = find(value.index);
  };
  for (const std::int32_t unit : units.nodes) {
    const Node& node = units.graph->nodes()[static_cast<std::size_t>(unit)];
    join(unit, node.results[0]);
    for (const Value value : graph::values_of(node)) {
      const Value base = units.base_of(value);
      const bool created = units.unit_behind(value) < 0 && units.graph->producer(base) >= 0;
      if (!created && !is_number(*units.graph, node, value)) join(unit, base);
    }
  }
  std::vector<std::vector<std::int32_t>> components;
  std::vector<std::int32_t> place(root.size(), -1);
  for (const std::int32_t unit : units.nodes) {
    auto& at = place[static_cast<std::size_t>(find(values + unit))];
    if (at < 0) {
      at = static_cast<std::int32_t>(components.size());
      components.emplace_back();
    }
    components[static_cast<std::size_t>(at)].push_back(unit);
  }
  return components;
}

/// A number computed by the region, or tensors of two devices.
std::optional<Unsupported> why_unsupported(const Units& units) {
  const Graph& graph = *units.graph;
  for (const std::int32_t unit : units.nodes) {
    const Node& node = graph.nodes()[static_cast<std::size_t>(unit)];
    const graph::Device device = graph.tensor(node.results[0]).device;
    for (const Value value : graph::values_of(node)) {
      const std::string where = std::string(node.op->name) + ": operand %" + graph.name(value);
      if (is_number(graph, node, value)) {
        if (graph.producer(value) >= 0) return Unsupported{"op_form", where + " is a host number computed on the way"};
      } else if (graph.tensor(value).device != device) {
        return Unsupported{"op_form", where + " is on another device"};
      }
    }
  }
  return std::nullopt;
}

/// The views among a unit's operands that must be copied because their memory cannot be indexed as they are: each time
/// the reshape nearest to memory.
bool add_copies(const Units& units, std::int32_t unit, std::vector<std::int32_t>& copies) {
  const Graph& graph = *units.graph;
  const std::size_t before = copies.size();
  for (Value value : graph::values_of(graph.nodes()[static_cast<std::size_t>(unit)])) {
    std::int32_t reshape = -1;
    while (!units.memory[static_cast<std::size_t>(value.index)]) {
      reshape = graph.producer(value);
      value = source_of(graph.nodes()[static_cast<std::size_t>(reshape)]);
    }
    if (reshape >= 0 && std::find(copies.begin(), copies.end(), reshape) == copies.end()) copies.push_back(reshape);
  }
  return copies.size() > before;
}

/// Groups all units; the unit that cannot even be a group alone, if there is one.
std::optional<std::int32_t> group_units(Grouper& grouper, const Units& units, const PlanOptions& options) {
  if (!options.fuse) return grouper.add_singles(units.nodes);
  for (const auto& component : connected_units(units)) {
    if (grouper.add_whole(component)) continue;
    if (auto failed = grouper.add_singles(component)) return failed;
  }
  grouper.merge_pairs();
  grouper.copy_cheap_producers();
  return std::nullopt;
}

}  // namespace

std::variant<Plan, Unsupported> make_plan(const Graph& primitive, const PlanOptions& options) {
  std::vector<std::int32_t> copies;
  while (true) {
    const Units units = find_units(primitive, copies);
    if (auto unsupported = why_unsupported(units)) return *unsupported;
    Grouper grouper(units, options);
    const auto failed = group_units(grouper, units, options);
    if (!failed) return plan_of(units, grouper);
    ensure(add_copies(units, *failed, copies), "a node alone forms a legal group");
  }
}

}  // namespace torchweld::fusion
