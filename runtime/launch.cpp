#include "runtime/launch.h"

#include <ATen/EmptyTensor.h>
#include <ATen/cuda/EmptyTensor.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/util/SmallVector.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/argument_block.h"
#include "runtime/cuda_launch.h"
#include "runtime/host_launch.h"
#include "runtime/region_body.h"
#include "torchweld/error.h"

namespace torchweld::runtime {
namespace {

/// Values of ordinary calls fit without an allocation.
using Outputs = c10::SmallVector<at::Tensor, 8>;
constexpr std::size_t kBlockBytes = 1024;
using Arguments = c10::SmallVector<void*, 64>;

at::Tensor allocate(const CallDevice& device, c10::IntArrayRef sizes, c10::IntArrayRef strides, c10::ScalarType dtype) {
  if (device.device == graph::Device::host) return at::Tensor(at::detail::empty_strided_cpu(sizes, strides, dtype));
  const at::Device cuda(at::kCUDA, static_cast<c10::DeviceIndex>(device.index));
  return at::Tensor(at::detail::empty_strided_cuda(sizes, strides, dtype, cuda));
}

/// A tensor without dims on the host, as a number.
std::variant<std::int64_t, double, bool> number_of(const c10::TensorImpl& tensor) {
  switch (c10::typeMetaToScalarType(tensor.dtype())) {
  case c10::ScalarType::Double:
    return *static_cast<const double*>(tensor.data());
  case c10::ScalarType::Float:
    return static_cast<double>(*static_cast<const float*>(tensor.data()));
  case c10::ScalarType::Half:
    return static_cast<double>(static_cast<float>(*static_cast<const c10::Half*>(tensor.data())));
  case c10::ScalarType::BFloat16:
    return static_cast<double>(static_cast<float>(*static_cast<const c10::BFloat16*>(tensor.data())));
  case c10::ScalarType::Long:
    return *static_cast<const std::int64_t*>(tensor.data());
  case c10::ScalarType::Int:
    return static_cast<std::int64_t>(*static_cast<const std::int32_t*>(tensor.data()));
  case c10::ScalarType::Short:
    return static_cast<std::int64_t>(*static_cast<const std::int16_t*>(tensor.data()));
  case c10::ScalarType::Char:
    return static_cast<std::int64_t>(*static_cast<const std::int8_t*>(tensor.data()));
  case c10::ScalarType::Byte:
    return static_cast<std::int64_t>(*static_cast<const std::uint8_t*>(tensor.data()));
  default:
    return *static_cast<const bool*>(tensor.data());
  }
}

std::variant<std::int64_t, double, bool> number_of(const Call& call, std::uint32_t input) {
  if (input < call.num_tensors()) return number_of(*call.tensor(input));
  const auto& scalar = call.scalars[input - call.num_tensors()];
  if (scalar.isDouble()) return scalar.toDouble();
  return scalar.toInt();
}

/// The memory of one call.
struct Memory {
  const Call& call;
  Outputs outputs;
  at::Tensor arena;

  [[nodiscard]] std::byte* address(const BufferIndex& buffer) const {
    switch (buffer.kind) {
    case BufferIndex::Kind::input:
      return static_cast<std::byte*>(const_cast<void*>(call.tensor(buffer.index)->data())) + buffer.offset;
    case BufferIndex::Kind::output:
      return static_cast<std::byte*>(outputs[buffer.index].unsafeGetTensorImpl()->mutable_data()) + buffer.offset;
    default:
      if (!arena.defined()) return nullptr;  // all that lives there is empty
      return static_cast<std::byte*>(arena.unsafeGetTensorImpl()->mutable_data()) + buffer.offset;
    }
  }
};

void launch_step(const LaunchPlan& plan, const Step& step, const Memory& memory) {
  alignas(std::max_align_t) std::byte small[kBlockBytes];
  std::vector<std::byte> large(step.block.size() > kBlockBytes ? step.block.size() : 0);
  auto* block = large.empty() ? small : large.data();
  std::copy(step.block.begin(), step.block.end(), block);
  for (const auto& pointer : step.pointers) {
    auto* address = memory.address(pointer.buffer);
    std::memcpy(block + pointer.at, &address, sizeof address);
  }
  for (const auto& number : step.numbers)
    write_number(block + number.at, number.dtype, number_of(memory.call, number.input));
  Arguments arguments;
  for (const auto at : step.arguments) arguments.push_back(block + at);
  if (plan.device.device == graph::Device::host)
    launch_host(step, arguments.data());
  else
    launch_cuda(step, arguments.data());
}

at::Tensor view_of(const Call& call, const ViewSpec& view) {
  const at::Tensor& input = call.tensor_value(view.input);
  if (view.offset == 0 && input.sizes() == view.sizes && input.strides() == view.strides) return input;
  return input.as_strided(view.sizes, view.strides, input.storage_offset() + view.offset);
}

c10::List<at::Tensor> results_of(const LaunchPlan& plan, Memory& memory) {
  c10::List<at::Tensor> results;
  results.reserve(plan.results.size());
  for (const auto& result : plan.results) {
    const auto* output = std::get_if<std::uint32_t>(&result);
    results.push_back(output != nullptr ? memory.outputs[*output] : view_of(memory.call, std::get<ViewSpec>(result)));
  }
  return results;
}

}  // namespace

c10::List<at::Tensor> launch(const LaunchPlan& plan, const Call& call) {
  const c10::cuda::OptionalCUDAGuard guard(
      plan.device.device == graph::Device::cuda
          ? std::optional(c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(plan.device.index)))
          : std::nullopt);
  Memory memory{call, {}, {}};
  for (const auto& output : plan.outputs)
    memory.outputs.push_back(allocate(plan.device, output.sizes, output.strides, output.dtype));
  if (plan.arena_bytes > 0) {
    const std::int64_t stride = 1;
    memory.arena = allocate(plan.device, plan.arena_bytes, stride, c10::ScalarType::Byte);
  }
  for (const auto& step : plan.steps) launch_step(plan, step, memory);
  return results_of(plan, memory);
}

}  // namespace torchweld::runtime
