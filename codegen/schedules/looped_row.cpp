#include <algorithm>

#include "codegen/schedules/schedules.h"

namespace torchweld::codegen {
namespace {

/// Vectors in flight a thread.
constexpr int kVectorsInFlight = 4;
constexpr int kMostThreads = 512;
/// Rows below which a thread a row leaves most of a device idle.
constexpr std::int64_t kManyRows = 4096;

/// Neighbouring rows are neighbours in memory: then a thread a row reads whole lines.
bool rows_are_contiguous(const LoopNest& nest) {
  return std::any_of(nest.accesses.begin(), nest.accesses.end(), [](const LoopAccess& access) {
    return !access.inner.is_zero() && !access.rows.per_loop.empty() && access.rows.per_loop.back() == 1;
  });
}

}  // namespace

Tile choose_looped_row_tile(const LoopNest& nest, const Target&) {
  Tile tile;
  tile.looped = true;
  tile.wide = needs_wide_index(nest);
  const RowVector row = set_row_vector(tile, nest);
  const std::int64_t vectors = (nest.num_inner() + tile.vector - 1) / tile.vector;
  tile.vectors_per_thread = kVectorsInFlight;
  if (tile.vector == 1 && find_pivot(nest) < 0 && rows_are_contiguous(nest) && nest.num_rows() >= kManyRows) {
    tile.threads_per_row = 1;
    tile.threads = 128;
    return tile;
  }
  const int wanted = power_of_two_above((vectors + kVectorsInFlight - 1) / kVectorsInFlight);
  tile.threads_per_row = std::clamp(wanted, std::max(32, row.least_threads), kMostThreads);
  tile.threads = std::max(tile.threads_per_row, 32);
  return tile;
}

}  // namespace torchweld::codegen
