#pragma once

#include <string>

#include "codegen/kernel.h"
#include "runtime/signature.h"

namespace torchweld::runtime {

/// What kernels are planned for on the device of a call.
[[nodiscard]] codegen::Target target_of(const CallDevice& device, const std::string& arch);
/// How the kernel compiler calls it: "sm_90", or host_target().
[[nodiscard]] std::string compiler_target(const codegen::Target& target, const std::string& arch);

/// A target without a device at hand: "sm_90". Throws Error when `arch` is not sm_ and a number.
[[nodiscard]] codegen::Target target_from_arch(const std::string& arch);

}  // namespace torchweld::runtime
