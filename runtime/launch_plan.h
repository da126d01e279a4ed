#pragma once

#include <c10/core/ScalarType.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "codegen/kernel.h"
#include "runtime/kernel_store.h"
#include "runtime/signature.h"

namespace torchweld::runtime {

/// Where a kernel's pointer argument points: a tensor of the call, an output, or a place in the arena that holds the
/// values which live between kernels.
struct BufferIndex {
  enum class Kind : std::uint8_t { input, output, arena } kind = Kind::input;
  std::uint32_t index = 0;  ///< of the tensor or the output
  std::int64_t offset = 0;  ///< in bytes
};
/// Writes an address into a step's argument block.
struct PointerPatch {
  std::uint32_t at = 0;  ///< offset into the block
  BufferIndex buffer;
};
/// Writes a number of the call into a step's argument block, as a value of `dtype`.
struct NumberPatch {
  std::uint32_t at = 0;
  graph::DType dtype = graph::DType::f32;
  std::uint32_t input = 0;  ///< a scalar of the region's inputs, or a host tensor without dims
};

/// One launch: its argument block is complete but for what the patches name.
struct Step {
  std::shared_ptr<const LoadedKernel> kernel;
  codegen::Launch launch;
  std::int64_t grain = 1;  ///< host: work items that are worth a thread
  std::vector<std::byte> block;
  std::vector<std::uint32_t> arguments;  ///< offset of each argument in the block
  std::vector<PointerPatch> pointers;
  std::vector<NumberPatch> numbers;
};

/// A tensor that a call allocates and returns.
struct OutputSpec {
  c10::ScalarType dtype = c10::ScalarType::Float;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
};
/// A result that is a view of one of the call's tensors.
struct ViewSpec {
  std::uint32_t input = 0;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;  ///< beyond the input's own, in elements
};
/// What a call returns at one place: the allocated tensor of this index, or a view.
using ResultSpec = std::variant<std::uint32_t, ViewSpec>;

/// Why there are no launches for a signature.
struct NoPlan {
  FallbackReason reason = FallbackReason::op_form;
  std::string details;
};

/// The kernels of a region for one signature, ready to launch; or why there are none. Immutable but for its counters.
struct LaunchPlan {
  std::int64_t plan_key = 0;
  CallDevice device;
  std::optional<NoPlan> refusal;

  std::vector<Step> steps;
  std::vector<OutputSpec> outputs;
  std::vector<ResultSpec> results;
  std::int64_t arena_bytes = 0;

  // For reports.
  graph::CallFacts facts;
  std::shared_ptr<const codegen::Program> program;  ///< null when planning was refused
  std::vector<StoredKernel> kernels;                ///< one per kernel of the program
  double planning_ms = 0;
  double waiting_ms = 0;  ///< for kernels

  mutable std::atomic<std::uint64_t> calls = 0;
  mutable std::atomic<std::uint64_t> last_used = 0;  ///< PlanTable's clock
};

}  // namespace torchweld::runtime
