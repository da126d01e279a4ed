#include "runtime/cuda_launch.h"

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

namespace torchweld::runtime {
namespace {

/// Every device that has clusters takes up to this many blocks in one.
constexpr int kPortableCluster = 8;
/// Shared memory that a kernel may use without asking.
constexpr int kDefaultSharedBytes = 48 * 1024;

void set_attribute(const Step& step, const CallDevice& device, cudaFuncAttribute attribute, int value) {
  auto* kernel = static_cast<cudaKernel_t>(const_cast<void*>(step.kernel->cuda_entry));
  const auto result = cudaKernelSetAttributeForDevice(kernel, attribute, value, device.index);
  if (result == cudaSuccess) return;
  (void)cudaGetLastError();
  throw CompileFailure(FallbackReason::too_large,
                       fmt::format("{}: the device refuses {} bytes of shared memory and clusters of {}: {}",
                                   step.kernel->name, step.launch.dynamic_shared, step.launch.cluster,
                                   cudaGetErrorString(result)));
}

}  // namespace

void prepare_cuda(const Step& step, const CallDevice& device) {
  if (step.launch.dynamic_shared > kDefaultSharedBytes)
    set_attribute(step, device, cudaFuncAttributeMaxDynamicSharedMemorySize, step.launch.dynamic_shared);
  if (step.launch.cluster > kPortableCluster)
    set_attribute(step, device, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
}

void launch_cuda(const Step& step, void** arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(step.launch.grid));
  config.blockDim = dim3(static_cast<unsigned>(step.launch.block));
  config.dynamicSmemBytes = static_cast<std::size_t>(step.launch.dynamic_shared);
  config.stream = c10::cuda::getCurrentCUDAStream().stream();
  cudaLaunchAttribute cluster{};
  if (step.launch.cluster > 1) {
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {static_cast<unsigned>(step.launch.cluster), 1, 1};
    config.attrs = &cluster;
    config.numAttrs = 1;
  }
  C10_CUDA_CHECK(cudaLaunchKernelExC(&config, step.kernel->cuda_entry, arguments));
}

bool is_capturing(const CallDevice& device) {
  auto status = cudaStreamCaptureStatusNone;
  const auto stream = c10::cuda::getCurrentCUDAStream(static_cast<c10::DeviceIndex>(device.index));
  C10_CUDA_CHECK(cudaStreamIsCapturing(stream.stream(), &status));
  return status != cudaStreamCaptureStatusNone;
}

}  // namespace torchweld::runtime
