#include <algorithm>

#include "codegen/schedules/schedules.h"

namespace torchweld::codegen {
namespace {

/// A column sum of 32768 x 4096 runs at .93 of a copy when its splits fill one wave at two blocks a multiprocessor.
constexpr int kBlocksOfMultiprocessor = 2;
/// What one block reads in the time of a second launch: a multiprocessor reads about 30 KB a microsecond. A block must
/// be spared as much.
constexpr std::int64_t kBytesWorthSplitting = 65536;

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

bool walks_once(const LoopNest& nest) {
  Kept nothing = keep_nothing(nest);
  const std::vector<PhaseWork> phases = work_of_phases(nest, nothing);
  return std::all_of(phases.begin() + 1, phases.end(),
                     [](const PhaseWork& work) { return work.reductions.empty() && work.stores.empty(); });
}

std::optional<Part> choose_split(const LoopNest& nest, const Tile& tile, const Target& target) {
  if (!walks_once(nest) || nest.num_rows() == 0) return std::nullopt;
  const std::int64_t n = nest.num_inner(), blocks = divide_up(nest.num_rows(), tile.rows_per_block());
  const std::int64_t step = std::int64_t{tile.threads_along()} * tile.inner_vector() * tile.vectors_per_thread;
  const std::int64_t splits =
      std::min(std::int64_t{kBlocksOfMultiprocessor} * target.multiprocessors / blocks, n / step);
  const std::int64_t bytes = n * tile.rows_per_block() * bytes_of_first_loads(nest);
  if (splits < 2 || bytes - bytes / splits < kBytesWorthSplitting) return std::nullopt;
  // Chunks of a row begin where the vectors of a warp do.
  const std::int64_t unit = tile.columns ? 1 : std::int64_t{tile.inner_vector()} * kLanes;
  const std::int64_t chunk = divide_up(divide_up(n, splits), unit) * unit;
  return Part{Part::Kind::partial, divide_up(n, chunk), chunk};
}

Tile choose_combining_tile(const LoopNest& nest, const Part& part) {
  Tile tile;
  tile.wide = needs_wide_index(nest);
  tile.threads_per_row = static_cast<int>(std::min<std::int64_t>(kLanes, power_of_two_above(part.splits)));
  set_vector(tile, nest, 1, false);
  return tile;
}

}  // namespace torchweld::codegen
