#pragma once

#include "runtime/call.h"
#include "runtime/launch_plan.h"

namespace torchweld::runtime {

/// Allocates a call's outputs, then launches the plan's kernels: on PyTorch's threads, or on the current stream of the
/// plan's device.
[[nodiscard]] c10::List<at::Tensor> launch(const LaunchPlan& plan, const Call& call);

}  // namespace torchweld::runtime
