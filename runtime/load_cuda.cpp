#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "runtime/loaded_kernel.h"

namespace torchweld::runtime {
namespace {

void check(const CompiledKernel& kernel, const char* step, cudaError_t result) {
  if (result == cudaSuccess) return;
  (void)cudaGetLastError();
  throw CompileFailure(FallbackReason::compile_failed,
                       fmt::format("{}: {}: {}", kernel.name, step, cudaGetErrorString(result)));
}

}  // namespace

std::shared_ptr<const LoadedKernel> load_cuda(const CompiledKernel& kernel) {
  cudaLibrary_t library = nullptr;
  check(kernel, "loading the cubin",
        cudaLibraryLoadData(&library, kernel.binary.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  auto loaded = std::make_shared<LoadedKernel>();
  // Never unloaded: a captured graph may launch the kernel long after its plan is gone.
  cudaKernel_t entry = nullptr;
  check(kernel, "finding its entry point", cudaLibraryGetKernel(&entry, library, kernel.name.c_str()));
  loaded->name = kernel.name;
  loaded->resources = kernel.resources;
  loaded->compile_ms = kernel.compile_ms;
  loaded->cuda_entry = entry;
  return loaded;
}

}  // namespace torchweld::runtime
