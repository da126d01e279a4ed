#pragma once

#include "runtime/launch_plan.h"

namespace torchweld::runtime {

/// Lets a step's kernel use the shared memory and the cluster that it asks for on this device. Throws CompileFailure
/// when the device does not have them.
void prepare_cuda(const Step& step, const CallDevice& device);

/// Launches on the current stream of the current device. `arguments` point into a complete argument block.
void launch_cuda(const Step& step, void** arguments);

/// The current stream of the device is being captured into a graph.
[[nodiscard]] bool is_capturing(const CallDevice& device);

}  // namespace torchweld::runtime
