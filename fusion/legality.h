#pragma once

#include <span>
#include <variant>

#include "fusion/formation.h"

namespace torchweld::fusion {

/// The group that `members` (units, ascending) make, or the first rule that keeps them out of one kernel. A path that
/// leaves the group and returns is not looked for here. `copied` as in form().
[[nodiscard]] std::variant<Group, Refusal> make_group(const Units& units, std::span<const std::int32_t> members,
                                                      std::span<const std::int32_t> copied, int max_operands,
                                                      Scratch& scratch);

}  // namespace torchweld::fusion
