#pragma once

#include "fusion/merge_groups.h"

namespace torchweld::fusion {

/// The plan of finished groups: launch order, intermediates, and an edge with its refusal for each value that one
/// kernel writes and another reads, and for each input that several read.
[[nodiscard]] Plan plan_of(const Units& units, Grouper& grouper);

}  // namespace torchweld::fusion
