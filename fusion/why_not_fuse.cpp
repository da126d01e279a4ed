#include <algorithm>

#include "fusion/bytes.h"
#include "fusion/legality.h"
#include "fusion/profit.h"
#include "fusion/reach.h"

namespace torchweld::fusion {

using graph::Graph;
using graph::Value;

namespace {

/// The memory that a unit reads, each once, ascending.
std::vector<Value> bases_read(const Units& units, std::int32_t unit) {
  std::vector<Value> bases;
  const graph::Node& node = units.graph->nodes()[static_cast<std::size_t>(unit)];
  for (const Value value : graph::values_of(node)) {
    const bool created = units.unit_behind(value) < 0 && units.graph->producer(units.base_of(value)) >= 0;
    if (!created && !is_number(*units.graph, node, value)) bases.push_back(units.base_of(value));
  }
  std::sort(bases.begin(), bases.end());
  bases.erase(std::unique(bases.begin(), bases.end()), bases.end());
  return bases;
}

/// Every unit a group of its own.
Grouping apart(const Units& units) {
  Grouping grouping;
  grouping.group_of.assign(units.is_unit.size(), -1);
  for (const std::int32_t unit : units.nodes) {
    grouping.group_of[static_cast<std::size_t>(unit)] = static_cast<std::int32_t>(grouping.members.size());
    grouping.members.push_back({unit});
  }
  return grouping;
}

std::optional<Refusal> why_not_siblings(const Units& units, std::int32_t one, std::int32_t other,
                                        const std::vector<Value>& shared, int max_operands, Scratch& scratch) {
  const auto first = make_group(units, std::vector{one}, {}, max_operands, scratch);
  const auto second = make_group(units, std::vector{other}, {}, max_operands, scratch);
  if (std::holds_alternative<Refusal>(first) || std::holds_alternative<Refusal>(second)) return std::nullopt;
  std::int64_t bytes = 0;
  for (const Value value : shared) bytes += bytes_read_of(*units.graph, std::get<Group>(second), value);
  return why_not_side_by_side(std::get<Group>(first), std::get<Group>(second), bytes);
}

std::optional<Refusal> why_not_pair(const Units& units, std::int32_t one, std::int32_t other) {
  const auto producers = units.producers.of(other);
  const bool connected = std::find(producers.begin(), producers.end(), one) != producers.end();
  const std::vector<Value> read = bases_read(units, one);
  const std::vector<Value> also_read = bases_read(units, other);
  std::vector<Value> shared;
  std::set_intersection(read.begin(), read.end(), also_read.begin(), also_read.end(), std::back_inserter(shared));
  if (!connected && shared.empty()) return Refusal{Reason::not_connected, {}, {}};

  const Grouping grouping = apart(units);
  const auto group_of = [&](std::int32_t unit) { return grouping.group_of[static_cast<std::size_t>(unit)]; };
  if (path_leaves_and_returns(units, grouping, group_of(one), group_of(other)))
    return Refusal{Reason::path_leaves_and_returns, {}, {}};
  Scratch scratch(units);
  const int max_operands = PlanOptions{}.max_operands;
  const auto made = make_group(units, std::vector{one, other}, {}, max_operands, scratch);
  if (const auto* refusal = std::get_if<Refusal>(&made)) return *refusal;
  if (auto refusal = why_not_profitable(std::get<Group>(made))) return refusal;
  return connected ? std::nullopt : why_not_siblings(units, one, other, shared, max_operands, scratch);
}

}  // namespace

std::optional<Refusal> why_not_fuse(const Graph& primitive, std::int32_t producer, std::int32_t consumer) {
  const Units units = find_units(primitive);
  const auto unit_of = [&](std::int32_t node) {
    return units.unit(node) ? node : units.unit_behind(primitive.nodes()[static_cast<std::size_t>(node)].results[0]);
  };
  const std::int32_t one = unit_of(producer);
  const std::int32_t other = unit_of(consumer);
  // Views of inputs, and creations, belong to every kernel that uses them.
  if (one < 0 || other < 0 || one == other) return std::nullopt;
  return why_not_pair(units, std::min(one, other), std::max(one, other));
}

}  // namespace torchweld::fusion
