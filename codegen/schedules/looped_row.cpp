#include <algorithm>

#include "codegen/schedules/schedules.h"

namespace torchweld::codegen {
namespace {

/// Vectors in flight a thread.
constexpr int kVectorsInFlight = 4;
constexpr int kMostThreads = 512;

}  // namespace

Tile choose_looped_row_tile(const LoopNest& nest, const Target&) {
  Tile tile;
  tile.looped = true;
  tile.wide = needs_wide_index(nest);
  const RowVector row = set_row_vector(tile, nest);
  const std::int64_t vectors = (nest.num_inner() + tile.vector - 1) / tile.vector;
  tile.vectors_per_thread = kVectorsInFlight;
  const int wanted = power_of_two_above((vectors + kVectorsInFlight - 1) / kVectorsInFlight);
  tile.threads_per_row = std::clamp(wanted, std::max(32, row.least_threads), kMostThreads);
  tile.threads = std::max(tile.threads_per_row, 32);
  return tile;
}

}  // namespace torchweld::codegen
