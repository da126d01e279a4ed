#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/compiled_kernel.h"

namespace torchweld::runtime {

/// The C++ compiler of this machine: $TORCHWELD_CXX if it is set, else the first that exists of $CXX, c++, g++ and
/// clang++. Empty when there is none.
[[nodiscard]] std::string find_host_compiler();

/// What a compiled host kernel depends on beside its text: processor features, since kernels are compiled for this
/// machine's own, and compiler options.
[[nodiscard]] const std::string& host_target();

/// Compiles kernels of different names into one shared object, in one call of the compiler. Every result holds the
/// same binary. Throws CompileFailure with the compiler's messages, or when there is no compiler.
[[nodiscard]] std::vector<CompiledKernel> compile_shared_object(std::span<const KernelSource> sources);

}  // namespace torchweld::runtime
