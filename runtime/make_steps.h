#pragma once

#include "runtime/launch_plan.h"

namespace torchweld::runtime {

/// Fills outputs, results, arena and steps of a plan from its program: where each value lives, and what each launch is
/// passed. Returns a refusal for a program that cannot be launched.
[[nodiscard]] std::optional<NoPlan> make_steps(LaunchPlan& plan);

}  // namespace torchweld::runtime
