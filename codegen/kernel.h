#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fusion/plan.h"

namespace torchweld::codegen {

enum class Backend : std::uint8_t { cuda, host };

/// What a kernel is planned for. Figures are those of the device at hand, or of a named architecture.
struct Target {
  Backend backend = Backend::host;
  int arch = 90;                       ///< compute capability, 10 * major + minor (cuda)
  int multiprocessors = 132;           ///< cuda
  int shared_bytes_per_block = 49152;  ///< static and dynamic, without opting in to more
  bool operator==(const Target&) const = default;
};

/// The address of a value's memory plus a byte offset.
struct PointerArgument {
  graph::Value value;
  std::int64_t byte_offset = 0;
  bool operator==(const PointerArgument&) const = default;
};
/// A size, stride or count.
struct IntArgument {
  std::int64_t value = 0;
  int bytes = 4;  ///< 4 (unsigned) or 8 (signed)
  bool operator==(const IntArgument&) const = default;
};
/// A number of the program, converted to `dtype` (f32, f64, i64 or bool) when the arguments are packed.
struct NumberArgument {
  graph::DType dtype = graph::DType::f32;
  fusion::Number number;
  bool operator==(const NumberArgument&) const = default;
};
/// The prelude's struct Divisor{multiplier, shift, divisor}: 12 bytes, exact for dividends below 2^31.
struct DivisorArgument {
  std::uint32_t divisor = 1;
  bool operator==(const DivisorArgument&) const = default;
};
/// A place in the partial results of a split reduction: those that this kernel writes, or that the one before it wrote.
struct PartialArgument {
  std::int64_t byte_offset = 0;
  bool operator==(const PartialArgument&) const = default;
};
using Argument = std::variant<PointerArgument, IntArgument, NumberArgument, DivisorArgument, PartialArgument>;

/// cuda: blocks and threads. host: `grid` work items, run as chunks [begin, end).
struct Launch {
  std::int64_t grid = 0;  ///< 0: nothing to do
  int block = 1;
  int cluster = 1;
  int dynamic_shared = 0;
  bool operator==(const Launch&) const = default;
};

/// A printed kernel. `text` is a function of group and shape class alone; what sizes change is in arguments and launch.
/// cuda: extern "C" __global__ void NAME(arguments in order).
/// host: extern "C" void NAME(const void* const* arguments, long long begin, long long end), each entry pointing at the
/// argument's bytes (for a pointer argument: at the pointer), as for a CUDA launch.
struct Kernel {
  std::string name;
  std::string text;  ///< without the prelude
  std::vector<Argument> arguments;
  Launch launch;
  std::string schedule;            ///< "pointwise V8 T128 K2", "row V8 T128 K4", ...: for the report
  int group = 0;                   ///< of the plan
  std::int64_t partial_bytes = 0;  ///< that it writes for the next kernel, of the same group; 0: none
};

/// Prints the kernels of a group for its shape class, in launch order, choosing the schedule: one, or two where a
/// reduction with few results is split over blocks. Never fails for a group that make_plan made; throws InternalError
/// otherwise.
[[nodiscard]] std::vector<Kernel> print_kernels(const graph::Graph& graph, const fusion::Group& group,
                                                const Target& target);

/// The text placed before every kernel of a backend.
[[nodiscard]] std::string_view prelude(Backend backend);

/// Everything one signature of a region needs before compiling. Torch-free.
struct Program {
  graph::Graph graph;  ///< primitive form; its inputs and outputs are the region's
  fusion::Plan plan;
  std::vector<Kernel> kernels;  ///< in launch order: of each group of the plan, one or two
};

/// infer, lower, simplify, plan, print.
[[nodiscard]] std::variant<Program, graph::Unsupported> build_program(const graph::Graph& region,
                                                                      const graph::CallFacts& facts,
                                                                      const Target& target,
                                                                      const fusion::PlanOptions& options);

/// The bytes of one argument as a launch takes them; pointers and open numbers are given by the caller.
struct DivisorBytes {
  std::uint32_t multiplier, shift, divisor;
};
[[nodiscard]] DivisorBytes divisor_bytes(std::uint32_t divisor);

}  // namespace torchweld::codegen
