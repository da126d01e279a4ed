#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "runtime/compiled_kernel.h"

namespace torchweld::runtime {

/// Where a kernel of a plan came from.
enum class Origin : std::uint8_t { compiled, disk, memory };
[[nodiscard]] std::string_view name_of(Origin origin);

/// A kernel that can be launched. What it points at lives as long as it.
struct LoadedKernel {
  using HostEntry = void (*)(const void* const* arguments, long long begin, long long end);

  std::string name;
  Resources resources;
  double compile_ms = 0;
  HostEntry host_entry = nullptr;    ///< of a host kernel
  const void* cuda_entry = nullptr;  ///< of a CUDA kernel: a cudaKernel_t, as cudaLaunchKernelExC takes it
  std::shared_ptr<void> library;
};

/// Loads a compiled kernel into this process. Throws CompileFailure when it does not load.
[[nodiscard]] std::shared_ptr<const LoadedKernel> load_host(const CompiledKernel& kernel);
[[nodiscard]] std::shared_ptr<const LoadedKernel> load_cuda(const CompiledKernel& kernel);

}  // namespace torchweld::runtime
