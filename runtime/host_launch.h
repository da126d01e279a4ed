#pragma once

#include "runtime/launch_plan.h"

namespace torchweld::runtime {

/// Runs a step's work items, over PyTorch's threads where there is work for more than one. `arguments` point into a
/// complete argument block.
void launch_host(const Step& step, const void* const* arguments);

}  // namespace torchweld::runtime
