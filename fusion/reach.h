#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fusion/group.h"
#include "fusion/units.h"

namespace torchweld::fusion {

/// Which group each unit is in. Groups are numbered as they are made; merged ones stay, empty.
struct Grouping {
  std::vector<std::vector<std::int32_t>> members;  ///< per group, ascending
  std::vector<std::int32_t> group_of;              ///< per node; -1 for nodes that are no units
};

/// Whether a path from a member of one group leaves both groups and returns to the other: then they cannot be one
/// kernel. The groups must be acyclic before.
[[nodiscard]] bool path_leaves_and_returns(const Units& units, const Grouping& grouping, std::int32_t one,
                                           std::int32_t other);

/// Positions of `groups`, each after those whose results it reads. Throws InternalError when they form a cycle.
[[nodiscard]] std::vector<std::size_t> launch_order(const Units& units, const std::vector<Group>& groups);

/// Per value: the position of the group that writes it; -1 for inputs and values that stay in registers.
[[nodiscard]] std::vector<std::int32_t> writers_of(const Units& units, const std::vector<Group>& groups);

}  // namespace torchweld::fusion
