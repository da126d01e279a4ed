#pragma once

#include "fusion/group.h"

namespace torchweld::fusion {

/// Bytes of memory that an access touches over the whole domain of a group.
[[nodiscard]] std::int64_t bytes_of(const Group& group, const Access& access);

/// Sets the bytes of a group from its accesses and nodes.
void count_bytes(const graph::Graph& graph, Group& group);

/// Bytes that a group reads of `value`: each operand's memory once.
[[nodiscard]] std::int64_t bytes_read_of(const graph::Graph& graph, const Group& group, graph::Value value);

/// What one node moves when it runs alone: its operands once, its result once. Views move nothing.
[[nodiscard]] std::int64_t bytes_alone(const graph::Graph& graph, const graph::Node& node);

}  // namespace torchweld::fusion
