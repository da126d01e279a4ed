#include "fusion/units.h"

#include <algorithm>

#include "torchweld/error.h"

namespace torchweld::fusion {

using graph::Graph;
using graph::Node;
using graph::Value;

bool is_creation(const Node& node) { return std::holds_alternative<graph::Creation>(node.op->body); }

bool is_creation(const Node& node, graph::CreationKind kind) {
  const auto* creation = std::get_if<graph::Creation>(&node.op->body);
  return creation != nullptr && creation->kind == kind;
}

bool is_cat(const Node& node) { return std::holds_alternative<graph::Cat>(node.op->body); }

namespace {

bool is_plain_view(const Units& units, std::int32_t node) {
  return node >= 0 && !units.unit(node) && graph::is_view(*units.graph->nodes()[static_cast<std::size_t>(node)].op);
}

const Node& node_at(const Graph& graph, std::int32_t node) { return graph.nodes()[static_cast<std::size_t>(node)]; }

bool computes(const Node& node) {
  return graph::is_pointwise(*node.op) || graph::is_reduction(*node.op) || is_cat(node);
}

/// Whether an output is an input, or a view of one as eager would give it.
bool is_input_view(const Units& units, Value output) {
  const Graph& graph = *units.graph;
  if (graph.producer(output) < 0) return true;
  const auto& memory = units.memory[static_cast<std::size_t>(output.index)];
  if (graph.producer(units.base_of(output)) >= 0 || !memory) return false;
  const graph::TensorType& type = graph.tensor(output);
  for (std::size_t dim = 0; dim < type.sizes.size(); ++dim)
    if (type.sizes[dim] != 1 && type.strides[dim] != memory->strides[dim]) return false;
  return true;
}

MemoryView memory_of_base(const Graph& graph, Value value) {
  MemoryView memory;
  if (const auto* type = std::get_if<graph::TensorType>(&graph.type(value))) memory.strides = type->strides;
  const std::int32_t producer = graph.producer(value);
  if (producer < 0) return memory;
  const Node& node = node_at(graph, producer);
  if (is_creation(node, graph::CreationKind::full)) memory.strides.assign(memory.strides.size(), 0);
  if (is_creation(node, graph::CreationKind::arange)) memory.strides = {1};
  return memory;
}

/// Sets base and memory of a node's result from its source's.
void place(Units& units, std::int32_t index) {
  const Node& node = node_at(*units.graph, index);
  const Value result = node.results[0];
  const auto at = static_cast<std::size_t>(result.index);
  units.base[at] = result;
  if (!is_plain_view(units, index)) {
    units.memory[at] = memory_of_base(*units.graph, result);
    return;
  }
  const auto source = static_cast<std::size_t>(source_of(node).index);
  units.base[at] = units.base[source];
  units.memory[at].reset();
  if (units.memory[source]) units.memory[at] = apply_view(*units.graph, node, *units.memory[source]);
}

void place_all(Units& units) {
  const Graph& graph = *units.graph;
  units.base.assign(static_cast<std::size_t>(graph.num_values()), Value{});
  units.memory.assign(static_cast<std::size_t>(graph.num_values()), std::nullopt);
  for (const Value input : graph.inputs()) {
    units.base[static_cast<std::size_t>(input.index)] = input;
    units.memory[static_cast<std::size_t>(input.index)] = memory_of_base(graph, input);
  }
  for (std::size_t index = 0; index < graph.nodes().size(); ++index) place(units, static_cast<std::int32_t>(index));
}

/// Makes the nodes that write `output` units and says who writes it.
void own(Units& units, Value output) {
  const std::int32_t producer = units.graph->producer(output);
  const std::int32_t site = units.graph->producer(store_site(units, output).value);
  const bool computed = !units.unit(producer) && site >= 0 && computes(node_at(*units.graph, site));
  const std::int32_t owner = computed ? site : producer;
  units.is_unit[static_cast<std::size_t>(owner)] = 1;
  auto& stored = units.stored[static_cast<std::size_t>(owner)];
  if (std::find(stored.begin(), stored.end(), output) == stored.end()) stored.push_back(output);
}

void mark_live_units(Units& units) {
  const auto nodes = units.graph->nodes();
  std::vector<char> live(nodes.size(), 0);
  for (std::size_t index = 0; index < nodes.size(); ++index)
    live[index] = units.is_unit[index] && !computes(nodes[index]) ? 1 : 0;
  for (std::size_t index = 0; index < nodes.size(); ++index)
    if (!units.stored[index].empty()) live[index] = 1;
  for (std::size_t index = nodes.size(); index-- > 0;) {
    if (!live[index]) continue;
    if (computes(nodes[index])) units.is_unit[index] = 1;
    for (const Value value : graph::values_of(nodes[index])) {
      const std::int32_t producer = units.graph->producer(value);
      if (producer >= 0) live[static_cast<std::size_t>(producer)] = 1;
    }
  }
}

NodeLists producers_of_units(const Units& units) {
  NodeLists lists;
  for (std::size_t index = 0; index < units.graph->nodes().size(); ++index) {
    lists.begins.push_back(static_cast<std::int32_t>(lists.items.size()));
    if (!units.is_unit[index]) continue;
    const auto first = static_cast<std::ptrdiff_t>(lists.items.size());
    for (const Value value : graph::values_of(units.graph->nodes()[index])) {
      const std::int32_t unit = units.unit_behind(value);
      if (unit >= 0 && std::find(lists.items.begin() + first, lists.items.end(), unit) == lists.items.end())
        lists.items.push_back(unit);
    }
  }
  lists.begins.push_back(static_cast<std::int32_t>(lists.items.size()));
  return lists;
}

NodeLists inverse(const NodeLists& lists) {
  NodeLists result;
  const std::size_t count = lists.begins.size() - 1;
  result.begins.assign(count + 1, 0);
  for (const std::int32_t item : lists.items) ++result.begins[static_cast<std::size_t>(item) + 1];
  for (std::size_t index = 0; index < count; ++index) result.begins[index + 1] += result.begins[index];
  result.items.resize(lists.items.size());
  std::vector<std::int32_t> next(result.begins.begin(), result.begins.end() - 1);
  for (std::size_t index = 0; index < count; ++index)
    for (const std::int32_t item : lists.of(static_cast<std::int32_t>(index)))
      result.items[static_cast<std::size_t>(next[static_cast<std::size_t>(item)]++)] = static_cast<std::int32_t>(index);
  return result;
}

}  // namespace

StoreSite store_site(const Units& units, Value value) {
  const Graph& graph = *units.graph;
  StoreSite site{.value = value, .strides = graph.tensor(value).strides};
  for (std::int32_t index = graph.producer(value); index >= 0;) {
    const Node& node = node_at(graph, index);
    if (!graph::is_view(*node.op)) break;
    auto strides = strides_of_source(graph, node, site.strides);
    if (!strides) break;
    site = StoreSite{.value = source_of(node), .strides = std::move(*strides)};
    index = graph.producer(site.value);
    if (units.unit(index)) break;
  }
  return site;
}

Units find_units(const Graph& graph, const std::vector<std::int32_t>& copies) {
  Units units;
  units.graph = &graph;
  units.is_unit.assign(graph.nodes().size(), 0);
  units.stored.resize(graph.nodes().size());
  for (const Node& node : graph.nodes()) ensure(node.results.size() == 1, "a node of a primitive graph has one result");
  for (const std::int32_t copy : copies) units.is_unit[static_cast<std::size_t>(copy)] = 1;
  place_all(units);
  for (const Value output : graph.outputs())
    if (is_input_view(units, output))
      units.input_views.push_back(output);
    else
      own(units, output);
  mark_live_units(units);
  place_all(units);
  for (std::size_t index = 0; index < graph.nodes().size(); ++index)
    if (units.is_unit[index]) units.nodes.push_back(static_cast<std::int32_t>(index));
  units.producers = producers_of_units(units);
  units.consumers = inverse(units.producers);
  return units;
}

}  // namespace torchweld::fusion
