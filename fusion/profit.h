#pragma once

#include <optional>

#include "fusion/plan.h"

namespace torchweld::fusion {

/// Why a legal group of several nodes is slower than its parts: it computes much again and again, or puts a long row on
/// one multiprocessor.
[[nodiscard]] std::optional<Refusal> why_not_profitable(const Group& group);

/// What an op costs in the registers' clock: 1, and more for each transcendental function.
[[nodiscard]] int weight_of(const graph::Op& op);

/// Why two groups that share no value but operands should not be one: those are `shared_bytes` of the traffic.
[[nodiscard]] std::optional<Refusal> why_not_side_by_side(const Group& one, const Group& other,
                                                          std::int64_t shared_bytes);

}  // namespace torchweld::fusion
