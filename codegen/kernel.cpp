#include "codegen/kernel.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "codegen/cuda_phases.h"
#include "codegen/cuda_squares.h"
#include "codegen/embedded.h"
#include "codegen/host.h"
#include "codegen/plain_casts.h"
#include "codegen/schedules/schedules.h"
#include "torchweld/error.h"

namespace torchweld::codegen {
namespace {

constexpr int kRegistersOfMultiprocessor = 65536;

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

Launch launch_of(const LoopNest& nest, const Tile& tile) {
  Launch launch;
  launch.block = tile.threads;
  launch.grid = tile.squares ? nest.num_rows() * divide_up(nest.inner[0].extent, tile.side()) *
                                   divide_up(nest.inner[1].extent, tile.side())
                : tile.has_rows()
                    ? divide_up(nest.num_rows(), tile.rows_per_block())
                    : divide_up(nest.num_inner(), std::int64_t{tile.vector} * tile.threads * tile.vectors_per_thread);
  ensure(launch.grid <= std::numeric_limits<std::int32_t>::max(), "a grid has less than 2^31 blocks");
  return launch;
}

struct Schedule {
  LoopNest nest;
  Tile tile;
  Kept kept;
  std::string_view name;
};

/// For rows that are walked in steps.
Schedule choose_looped_schedule(const fusion::Group& group, bool columns, const Target& target) {
  LoopNest nest = make_loops(group, find_online_softmax(group));
  const bool online = !nest.onlines.empty();
  Tile tile = columns ? choose_looped_column_tile(nest, target) : choose_looped_row_tile(nest, target);
  Kept kept = keep_nothing(nest);
  const std::string_view name = columns  ? (online ? "online column" : "looped column")
                                : online ? "online row"
                                         : "looped row";
  return {std::move(nest), std::move(tile), std::move(kept), name};
}

std::optional<Schedule> choose_on_chip_schedule(LoopNest nest, bool columns, const Target& target) {
  if (columns && walks_once(nest)) return std::nullopt;
  auto tile = columns ? choose_column_tile(nest, target) : choose_row_tile(nest, target);
  if (!tile) return std::nullopt;
  Kept kept = choose_kept(nest, tile->vector * tile->vectors_per_thread,
                          std::min(kRegistersOfMultiprocessor / tile->threads, 255));
  return Schedule{std::move(nest), std::move(*tile), std::move(kept), columns ? "column" : "row"};
}

Kernel print_part(const Schedule& schedule, const Tile& tile, const Part& part, std::string name) {
  constexpr std::string_view kKinds[] = {"", " partial", " combined"};
  const std::string_view kind = kKinds[static_cast<std::size_t>(part.kind)];
  Kernel kernel = print_cuda(schedule.nest, tile, part, schedule.kept, std::move(name), join(schedule.name, kind));
  kernel.launch = launch_of(schedule.nest, tile);
  if (part.kind == Part::Kind::partial) {
    kernel.launch.grid *= part.splits;
    kernel.partial_bytes = partial_bytes(schedule.nest, part);
  }
  return kernel;
}

std::vector<Kernel> print_cuda_kernels(const fusion::Group& group, std::string name, const Target& target) {
  std::vector<Kernel> kernels;
  LoopNest nest = make_loops(group);
  if (!nest.reduces) {
    if (const auto squares = choose_square_tile(nest, target)) {
      kernels.push_back(print_squares(nest, *squares, std::move(name), "transposed"));
      kernels.back().launch = launch_of(nest, *squares);
      return kernels;
    }
    const Tile tile = choose_pointwise_tile(nest, target);
    Kept kept = keep_nothing(nest);
    const Schedule schedule{std::move(nest), tile, std::move(kept), "pointwise"};
    kernels.push_back(print_part(schedule, tile, {}, std::move(name)));
    return kernels;
  }
  const bool columns = is_column_reduction(nest);
  const Schedule looped = choose_looped_schedule(group, columns, target);
  if (const auto split = choose_split(looped.nest, looped.tile, target)) {
    kernels.push_back(print_part(looped, looped.tile, *split, name + "_partial"));
    Part combined = *split;
    combined.kind = Part::Kind::combined;
    kernels.push_back(print_part(looped, choose_combining_tile(looped.nest, *split), combined, std::move(name)));
    return kernels;
  }
  const auto on_chip = choose_on_chip_schedule(std::move(nest), columns, target);
  const Schedule& chosen = on_chip ? *on_chip : looped;
  kernels.push_back(print_part(chosen, chosen.tile, {}, std::move(name)));
  return kernels;
}

}  // namespace

std::vector<Kernel> print_kernels(const graph::Graph& graph, const fusion::Group& group, const Target& target) {
  std::string name = fusion::name_of(graph, group);
  const fusion::Group plain = drop_plain_casts(group);
  if (target.backend == Backend::host) return {print_host(plain, std::move(name))};
  return print_cuda_kernels(plain, std::move(name), target);
}

std::string_view prelude(Backend backend) {
  const auto joined = [](std::initializer_list<std::string_view> files) {
    std::string text;
    for (const std::string_view file : files) text += embedded_file(file);
    return text;
  };
  static const std::string kCuda = joined({"target.cuh", "types.cuh", "stored.cuh", "pack.cuh", "device_math.cuh",
                                           "math.cuh", "approximate.cuh", "states.cuh", "online.cuh", "reduce.cuh"});
  static const std::string kHost = joined({"host.h", "stored.cuh", "host_math.h", "math.cuh", "states.cuh", "lanes.h"});
  return backend == Backend::cuda ? kCuda : kHost;
}

DivisorBytes divisor_bytes(std::uint32_t divisor) {
  ensure(divisor > 0 && divisor < (1u << 31), "a divisor is between 1 and 2^31");
  // Granlund and Montgomery, "Division by invariant integers using multiplication": (mulhi(n, m) + n) >> s.
  const auto shift = static_cast<std::uint32_t>(std::bit_width(divisor - 1));
  const std::uint64_t multiplier = ((std::uint64_t{1} << 32) * ((std::uint64_t{1} << shift) - divisor)) / divisor + 1;
  return {static_cast<std::uint32_t>(multiplier), shift, divisor};
}

}  // namespace torchweld::codegen
