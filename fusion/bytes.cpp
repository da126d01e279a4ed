#include "fusion/bytes.h"

#include <algorithm>

#include "graph/op.h"

namespace torchweld::fusion {

using graph::Graph;
using graph::Node;
using graph::TensorType;
using graph::Value;

std::int64_t bytes_of(const Group& group, const Access& access) {
  std::int64_t elements = 1;
  for (std::size_t axis = 0; axis < group.axes.size(); ++axis) {
    const bool guarded = access.guard && access.guard->axis == static_cast<int>(axis);
    if (group.axes[axis].extent == 0) return 0;
    if (access.strides[axis] != 0)
      elements *= guarded ? access.guard->end - access.guard->begin : group.axes[axis].extent;
  }
  return elements * graph::size_of(access.dtype);
}

namespace {

std::size_t count_loads(const Group& group) { return group.accesses.size() - group.stores.size(); }

}  // namespace

std::int64_t bytes_read_of(const Graph& graph, const Group& group, Value value) {
  std::int64_t bytes = 0;
  for (std::size_t at = 0; at < count_loads(group); ++at)
    if (group.accesses[at].value == value) bytes += bytes_of(group, group.accesses[at]);
  return std::min(bytes, graph::bytes_of(graph.tensor(value)));
}

std::int64_t bytes_alone(const Graph& graph, const Node& node) {
  if (graph::is_view(*node.op)) return 0;
  std::int64_t bytes = graph::bytes_of(graph.tensor(node.results[0]));
  std::vector<Value> counted;
  for (const Value value : graph::values_of(node)) {
    const auto* type = std::get_if<TensorType>(&graph.type(value));
    if (type == nullptr || std::find(counted.begin(), counted.end(), value) != counted.end()) continue;
    counted.push_back(value);
    bytes += graph::bytes_of(*type);
  }
  return bytes;
}

void count_bytes(const Graph& graph, Group& group) {
  for (std::size_t at = 0; at < count_loads(group); ++at) {
    const Value value = group.accesses[at].value;
    const auto is_same = [&](const Access& access) { return access.value == value; };
    const auto first = group.accesses.begin();
    const auto before = first + static_cast<std::ptrdiff_t>(at);
    if (std::none_of(first, before, is_same)) group.bytes_read += bytes_read_of(graph, group, value);
  }
  for (const Store& store : group.stores)
    group.bytes_written += bytes_of(group, group.accesses[static_cast<std::size_t>(store.access)]);
  for (const std::int32_t node : group.nodes)
    group.bytes_eager += bytes_alone(graph, graph.nodes()[static_cast<std::size_t>(node)]);
}

}  // namespace torchweld::fusion
