#include <algorithm>
#include <bit>

#include "codegen/keep.h"
#include "codegen/schedules/schedules.h"

namespace torchweld::codegen {
namespace {

constexpr int kRegistersOfMultiprocessor = 65536;
/// Registers a thread for addresses and temporaries.
constexpr int kOtherRegisters = 24;
/// Rows shorter than this many vectors are read element by element when they begin anywhere.
constexpr int kFewVectors = 4;

/// Threads and vectors a thread for a row of so many vectors. Measured on an H200: up to 8 KB T256 K2, 16 KB T512 K2,
/// 32 KB T1024 K2, 64 KB T1024 K4, 128 KB T1024 K8; short rows share a warp.
bool set_row_threads(Tile& tile, std::int64_t vectors, int least_threads) {
  int along = 1024;
  if (vectors <= 32)
    along = std::max(8, power_of_two_above(vectors));
  else if (vectors <= 128)
    along = 32;
  else if (vectors <= 2048)
    along = std::max(128, power_of_two_above((vectors + 1) / 2));
  tile.threads_per_row = std::max(along, least_threads);
  const std::int64_t each = (vectors + tile.threads_per_row - 1) / tile.threads_per_row;
  for (const int k : {1, 2, 3, 4, 6, 8}) {
    tile.vectors_per_thread = k;
    if (k >= each) return true;
  }
  return false;
}

}  // namespace

int bytes_of_first_loads(const LoopNest& nest) {
  Kept nothing = keep_nothing(nest);
  const std::vector<PhaseWork> phases = work_of_phases(nest, nothing);
  int bytes = 0;
  for (const int i : phases.front().statements) {
    const fusion::Statement& statement = nest.group->statements[static_cast<std::size_t>(i)];
    if (std::holds_alternative<fusion::Load>(statement.body)) bytes += graph::size_of(statement.dtype);
  }
  return bytes;
}

int registers_for_values(const Tile& tile) {
  return std::min(kRegistersOfMultiprocessor / tile.threads, 255) - kOtherRegisters;
}

int power_of_two_above(std::int64_t n) {
  return static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1))));
}

bool is_mostly_vectors(const Tile& tile, const LoopNest& nest) {
  int vectors = 0, others = 0;
  for (std::size_t i = 0; i < tile.accesses.size(); ++i) {
    const int size = graph::size_of(nest.group->accesses[i].dtype);
    if (tile.accesses[i].pattern == Pattern::vector) vectors += size;
    if (tile.accesses[i].pattern == Pattern::elements) others += size;
  }
  return vectors > 0 && vectors >= others;
}

RowVector set_row_vector(Tile& tile, const LoopNest& nest) {
  const std::int64_t n = nest.num_inner();
  const int vector = widest_vector(nest);
  tile.ends = Ends::whole_vectors;
  set_vector(tile, nest, vector, false);
  if (n % vector == 0 && is_aligned(tile, nest) && is_mostly_vectors(tile, nest)) return {};
  if (find_pivot(nest) >= 0 && n >= std::int64_t{kFewVectors} * vector) {
    set_vector(tile, nest, vector, true);
    if (is_mostly_vectors(tile, nest)) {
      tile.ends = Ends::shifted;
      return {true, power_of_two_above(std::int64_t{2} * vector)};
    }
  }
  set_vector(tile, nest, 1, false);
  return {};
}

std::optional<Tile> choose_row_tile(const LoopNest& nest, const Target& target) {
  Tile tile;
  tile.wide = needs_wide_index(nest);
  if (nest.num_inner() >= std::int64_t{1} << 31) return std::nullopt;
  const RowVector row = set_row_vector(tile, nest);
  const std::int64_t vectors = (nest.num_inner() + tile.vector - 1) / tile.vector;
  if (!set_row_threads(tile, vectors, row.least_threads)) return std::nullopt;
  const bool contiguous = nest.inner.empty() || tile.vector > 1 || find_pivot(nest) >= 0;
  if (!contiguous && tile.threads_per_row > 32) return std::nullopt;

  tile.threads = std::max(tile.threads_per_row, 32);
  // Several rows a block only when every multiprocessor gets blocks.
  if (nest.num_rows() * tile.threads_per_row >= std::int64_t{128} * target.multiprocessors)
    tile.threads = std::max(tile.threads, 128);
  const int elements = tile.vector * tile.vectors_per_thread;
  if (elements * bytes_of_first_loads(nest) / 4 > registers_for_values(tile)) return std::nullopt;
  if (!row.shifted && nest.num_inner() == std::int64_t{elements} * tile.threads_per_row) tile.ends = Ends::exact;
  return tile;
}

}  // namespace torchweld::codegen
