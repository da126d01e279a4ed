#include "codegen/kernel.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "codegen/cuda_phases.h"
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
  launch.grid = tile.has_rows()
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

Schedule choose_kept_schedule(LoopNest nest, Tile tile, std::string_view name) {
  Kept kept = choose_kept(nest, tile.vector * tile.vectors_per_thread,
                          std::min(kRegistersOfMultiprocessor / tile.threads, 255));
  return {std::move(nest), std::move(tile), std::move(kept), name};
}

/// Nothing of a row is needed again once its reductions are done.
bool walks_once(const LoopNest& nest) {
  Kept nothing = keep_nothing(nest);
  const std::vector<PhaseWork> phases = work_of_phases(nest, nothing);
  return std::all_of(phases.begin() + 1, phases.end(),
                     [](const PhaseWork& work) { return work.reductions.empty() && work.stores.empty(); });
}

Schedule choose_schedule(const fusion::Group& group, const Target& target) {
  LoopNest nest = make_loops(group);
  if (!nest.reduces) {
    Tile tile = choose_pointwise_tile(nest, target);
    Kept kept = keep_nothing(nest);
    return {std::move(nest), std::move(tile), std::move(kept), "pointwise"};
  }
  const bool columns = is_column_reduction(nest);
  if (!columns)
    if (auto tile = choose_row_tile(nest, target))
      return choose_kept_schedule(std::move(nest), std::move(*tile), "row");
  if (columns && !walks_once(nest))
    if (auto tile = choose_column_tile(nest, target))
      return choose_kept_schedule(std::move(nest), std::move(*tile), "column");
  nest = make_loops(group, find_online_softmax(group));
  const bool online = !nest.onlines.empty();
  Tile tile = columns ? choose_looped_column_tile(nest, target) : choose_looped_row_tile(nest, target);
  Kept kept = keep_nothing(nest);
  const std::string_view name =
      columns ? (online ? "online column" : "looped column") : (online ? "online row" : "looped row");
  return {std::move(nest), std::move(tile), std::move(kept), name};
}

Kernel print_cuda_kernel(const fusion::Group& group, std::string name, const Target& target) {
  const Schedule schedule = choose_schedule(group, target);
  Kernel kernel = print_cuda(schedule.nest, schedule.tile, schedule.kept, std::move(name), schedule.name);
  kernel.launch = launch_of(schedule.nest, schedule.tile);
  return kernel;
}

}  // namespace

Kernel print_kernel(const graph::Graph& graph, const fusion::Group& group, const Target& target) {
  std::string name = fusion::name_of(graph, group);
  const fusion::Group plain = drop_plain_casts(group);
  if (target.backend == Backend::host) return print_host(plain, std::move(name));
  return print_cuda_kernel(plain, std::move(name), target);
}

std::string_view prelude(Backend backend) {
  const auto joined = [](std::initializer_list<std::string_view> files) {
    std::string text;
    for (const std::string_view file : files) text += embedded_file(file);
    return text;
  };
  static const std::string kCuda = joined({"target.cuh", "types.cuh", "pack.cuh", "device_math.cuh", "math.cuh",
                                           "approximate.cuh", "states.cuh", "online.cuh", "reduce.cuh"});
  static const std::string kHost = joined({"host.h", "host_math.h", "math.cuh", "states.cuh", "lanes.h"});
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
