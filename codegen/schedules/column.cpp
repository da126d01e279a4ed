#include <algorithm>
#include <array>
#include <cstdlib>

#include "codegen/keep.h"
#include "codegen/scalars.h"
#include "codegen/schedules/schedules.h"

namespace torchweld::codegen {
namespace {

/// Bytes of neighbouring columns that a block reads at least. On Hopper a warp that loads runs of 128 bytes reaches 93
/// % of one with runs of 512, with runs of 32 half.
constexpr int kLeastBytesAcross = 128, kSectorBytes = 32;
/// A column sum in bf16 runs at .93 of a copy with 16 threads across, T1024 and 8 vectors of 16 bytes in flight.
constexpr int kThreadsAcross = 16, kMostThreads = 1024, kBytesInFlight = 128;
/// Strides between columns whose multiples, added to an offset that fits in 31 bits, still fit in 32.
constexpr std::int64_t kWideStride = std::int64_t{1} << 26;
/// Threads of a block whose columns are short.
constexpr int kFewThreads = 256;

bool walks(const LoopNest& nest, std::size_t access) { return !nest.accesses[access].inner.is_zero(); }

bool is_contiguous_across(const LoopNest& nest, std::size_t access) {
  const graph::Dims& strides = nest.accesses[access].rows.per_loop;
  return !strides.empty() && strides.back() == 1 && nest.rows.back().extent > 1;
}

/// Elements of a 16-byte access of the narrowest operand that walks the columns, of those that are read in whole words
/// at every index.
int widest_column_vector(const LoopNest& nest) {
  int narrowest = 16, widest = 1;
  for (std::size_t i = 0; i < nest.accesses.size(); ++i) {
    if (!walks(nest, i) || !is_contiguous_across(nest, i)) continue;
    const int size = graph::size_of(nest.group->accesses[i].dtype);
    narrowest = std::min(narrowest, size);
    widest = std::max(widest, size);
  }
  return std::max(1, std::min(graph::kVectorBytes / narrowest, 2 * graph::kVectorBytes / widest));
}

bool accesses_are_whole(const Tile& tile, const LoopNest& nest) {
  for (std::size_t i = 0; i < tile.accesses.size(); ++i) {
    const int whole = std::min(graph::kVectorBytes, tile.vector * graph::size_of(nest.group->accesses[i].dtype));
    if (walks(nest, i) && tile.accesses[i].pattern == Pattern::vector && tile.accesses[i].word_bytes < whole)
      return false;
  }
  return true;
}

/// The widest vector that no loop and no misalignment cuts.
void set_vector_across(Tile& tile, const LoopNest& nest) {
  for (int vector = widest_column_vector(nest);; vector /= 2) {
    set_column_vector(tile, nest, vector);
    const bool fits = nest.rows.size() == 1 || nest.rows.back().extent % vector == 0;
    if (vector == 1 || (fits && accesses_are_whole(tile, nest))) break;
  }
  tile.ragged_rows = nest.num_rows() % tile.vector != 0;
  for (const LoopAccess& access : nest.accesses)
    tile.wide = tile.wide || std::abs(access.rows.per_loop.back()) >= kWideStride;
}

/// Divides a block of at most `threads` between neighbours across and along, `each` indices a thread.
void divide_threads(Tile& tile, const LoopNest& nest, int threads, int least_across, int each) {
  const std::int64_t lanes = (nest.num_rows() + tile.vector - 1) / tile.vector;
  const int across = std::min(least_across, power_of_two_above(lanes));
  const int wanted = power_of_two_above((nest.num_inner() + each - 1) / each);
  tile.threads_per_row = std::clamp(wanted, 1, std::max(1, threads / across));
  const int spare = std::min(threads, kFewThreads) / tile.threads_per_row;
  tile.threads =
      std::max(32, tile.threads_per_row * std::clamp(power_of_two_above(lanes), across, std::max(across, spare)));
}

/// Threads across for kLeastBytesAcross, fewer where that leaves multiprocessors idle.
int least_across(const Tile& tile, const LoopNest& nest, int bytes, const Target& target) {
  const int sector = std::max(1, kSectorBytes / (tile.vector * bytes));
  int across = std::max(1, kLeastBytesAcross / (tile.vector * bytes));
  while (across > sector && nest.num_rows() < std::int64_t{across} * tile.vector * target.multiprocessors) across /= 2;
  return across;
}

/// Words of the states of the phase that has most.
int words_of_states(const LoopNest& nest) {
  Kept nothing = keep_nothing(nest);
  int most = 0;
  for (const PhaseWork& work : work_of_phases(nest, nothing)) {
    int words = 0;
    for (const int reduction : work.reductions) words += state_words(nest, reduction);
    most = std::max(most, words);
  }
  return most;
}

/// For its states and the loads of `vectors` vectors. States of several words are computed with as many temporaries.
bool registers_suffice(const Tile& tile, const LoopNest& nest, int vectors) {
  const int words = words_of_states(nest);
  const int states = tile.vector * (words > 1 ? 2 * words : words);
  return states + tile.vector * vectors * bytes_of_first_loads(nest) / 4 <= registers_for_values(tile);
}

bool scratch_fits(const Tile& tile, const LoopNest& nest, const Target& target) {
  return column_scratch_states(tile) * words_of_states(nest) * 4 <= target.shared_bytes_per_block;
}

}  // namespace

bool is_column_reduction(const LoopNest& nest) {
  if (!nest.reduces || nest.rows.empty() || nest.inner.empty() || nest.num_inner() == 0) return false;
  int across = 0, along = 0;
  for (std::size_t i = 0; i < nest.accesses.size(); ++i) {
    if (!walks(nest, i)) continue;
    const int size = graph::size_of(nest.group->accesses[i].dtype);
    if (is_contiguous_across(nest, i)) across += size;
    if (nest.accesses[i].inner.per_loop.back() == 1 && nest.inner.back().extent > 1) along += size;
  }
  return across > along;
}

// A softmax over a middle dim in f32 runs at .97 of a copy with T256 K4, 128 bytes across.
std::optional<Tile> choose_column_tile(const LoopNest& nest, const Target& target) {
  Tile tile;
  tile.columns = true;
  tile.wide = needs_wide_index(nest);
  set_vector_across(tile, nest);
  const int bytes = std::max(1, bytes_of_first_loads(nest));
  const int across = least_across(tile, nest, bytes, target);
  constexpr std::array<std::array<int, 2>, 4> kThreadsAndVectors = {{{256, 4}, {512, 4}, {1024, 4}, {1024, 8}}};
  for (const auto [threads, most_vectors] : kThreadsAndVectors) {
    divide_threads(tile, nest, threads, across, 4);
    const std::int64_t each = (nest.num_inner() + tile.threads_per_row - 1) / tile.threads_per_row;
    if (each > most_vectors) continue;
    tile.vectors_per_thread = static_cast<int>(each <= 4 ? each : each <= 6 ? 6 : 8);
    if (!registers_suffice(tile, nest, tile.vectors_per_thread) || !scratch_fits(tile, nest, target)) continue;
    const bool exact = nest.num_inner() == std::int64_t{tile.vectors_per_thread} * tile.threads_per_row;
    tile.ends = exact ? Ends::exact : Ends::whole_vectors;
    return tile;
  }
  return std::nullopt;
}

Tile choose_looped_column_tile(const LoopNest& nest, const Target& target) {
  Tile tile;
  tile.columns = true;
  tile.looped = true;
  tile.wide = needs_wide_index(nest);
  set_vector_across(tile, nest);
  tile.vectors_per_thread = std::clamp(kBytesInFlight / (tile.vector * std::max(1, bytes_of_first_loads(nest))), 1, 8);
  // Below kFewThreads only for want of shared memory: the states of one warp need none.
  for (int threads = kMostThreads; threads >= kLanes; threads /= 2) {
    divide_threads(tile, nest, threads, kThreadsAcross, tile.vectors_per_thread);
    if (!scratch_fits(tile, nest, target)) continue;
    if (threads <= kFewThreads || registers_suffice(tile, nest, tile.vectors_per_thread)) break;
  }
  return tile;
}

}  // namespace torchweld::codegen
