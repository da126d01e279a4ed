#include "runtime/target.h"

#include <ATen/cuda/CUDAContextLight.h>

#include <charconv>

#include "runtime/host_compiler.h"
#include "torchweld/error.h"

namespace torchweld::runtime {

codegen::Target target_from_arch(const std::string& arch) {
  codegen::Target target;
  target.backend = codegen::Backend::cuda;
  const auto* end = arch.data() + arch.size();
  const bool named = arch.starts_with("sm_");
  if (!named || std::from_chars(arch.data() + 3, end, target.arch).ec != std::errc{})
    throw Error("arch: found '" + arch + "', expected a target such as sm_90");
  return target;
}

codegen::Target target_of(const CallDevice& device, const std::string& arch) {
  if (device.device == graph::Device::host) return {};
  codegen::Target target;
  target.backend = codegen::Backend::cuda;
  const auto& properties = *at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(device.index));
  target.arch = arch.empty() ? 10 * properties.major + properties.minor : target_from_arch(arch).arch;
  target.multiprocessors = properties.multiProcessorCount;
  target.shared_bytes_per_block = static_cast<int>(properties.sharedMemPerBlock);
  return target;
}

std::string compiler_target(const codegen::Target& target, const std::string& arch) {
  if (target.backend == codegen::Backend::host) return host_target();
  return arch.empty() ? "sm_" + std::to_string(target.arch) : arch;
}

}  // namespace torchweld::runtime
