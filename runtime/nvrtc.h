#pragma once

#include <string>

#include "runtime/compiled_kernel.h"

namespace torchweld::runtime {

/// Options of every CUDA compile beside the target. They are part of a kernel's cache key.
[[nodiscard]] std::string nvrtc_options();

/// Compiles prelude and text to a cubin for source.target ("sm_90"). Needs no GPU and no driver. Throws CompileFailure
/// with the compiler's log, or when there is no NVRTC.
[[nodiscard]] CompiledKernel compile_cubin(const KernelSource& source);

/// The same in PTX, the text that a driver or ptxas translates for any GPU from source.target on.
[[nodiscard]] std::string compile_ptx(const KernelSource& source);

/// Registers, shared memory and spills from the log that ptxas writes for a single kernel.
[[nodiscard]] Resources resources_from_log(const std::string& log);

}  // namespace torchweld::runtime
