#include "codegen/tile.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "torchweld/error.h"

namespace torchweld::codegen {
namespace {

/// A vector of the widest operand takes at most two words: with more, a warp's accesses lie too far apart.
constexpr int kMostBytesOfVector = 32;

bool is_contiguous(const LoopNest& nest, std::size_t access) {
  return !nest.inner.empty() && nest.accesses[access].inner.per_loop.back() == 1 && nest.inner.back().extent > 1;
}

bool is_flat_contiguous(const LoopNest& nest, std::size_t access) {
  const PartStrides& inner = nest.accesses[access].inner;
  return is_contiguous(nest, access) && inner.flat == 1;
}

/// The largest power of two, up to 16, that divides the address of every vector.
int word_bytes(const LoopNest& nest, std::size_t i) {
  const fusion::Access& access = nest.group->accesses[i];
  const LoopAccess& loops = nest.accesses[i];
  const int size = graph::size_of(access.dtype);
  std::int64_t divisor = std::gcd<std::int64_t>(graph::kVectorBytes, access.alignment);
  divisor = std::gcd(divisor, access.offset * size);
  for (const std::int64_t stride : loops.rows.per_loop) divisor = std::gcd(divisor, stride * size);
  if (loops.inner.flat != 1)
    for (std::size_t k = 0; k + 1 < loops.inner.per_loop.size(); ++k)
      divisor = std::gcd(divisor, loops.inner.per_loop[k] * size);
  return static_cast<int>(divisor);
}

/// Whether the rows of both accesses begin at addresses that are equal modulo a vector.
bool rows_agree(const LoopNest& nest, std::size_t a, std::size_t b, int vector) {
  const fusion::Access &first = nest.group->accesses[a], &second = nest.group->accesses[b];
  if (first.alignment % graph::kVectorBytes != 0 || second.alignment % graph::kVectorBytes != 0) return a == b;
  if ((first.offset - second.offset) % vector != 0) return false;
  for (std::size_t k = 0; k < nest.rows.size(); ++k)
    if ((nest.accesses[a].rows.per_loop[k] - nest.accesses[b].rows.per_loop[k]) % vector != 0) return false;
  return true;
}

/// Whether a vector may lie on both sides of a bound of the access's guard.
bool guard_cuts_vectors(const Tile& tile, const LoopNest& nest, std::size_t access, bool shifted) {
  const auto& guard = nest.group->accesses[access].guard;
  if (!guard) return false;
  const bool is_inner =
      std::any_of(nest.inner.begin(), nest.inner.end(), [&](const Loop& loop) { return loop.axis == guard->axis; });
  if (is_inner && (!tile.divides || shifted)) return true;
  return guard->axis == nest.inner.back().axis && (guard->begin % tile.vector != 0 || guard->end % tile.vector != 0);
}

AccessShape shape_of(const Tile& tile, const LoopNest& nest, std::size_t i, bool shifted) {
  const PartStrides& inner = nest.accesses[i].inner;
  if (inner.is_zero()) return {Pattern::uniform, 0};
  if (tile.vector == 1 || guard_cuts_vectors(tile, nest, i, shifted)) return {Pattern::elements, 0};
  const int size = graph::size_of(nest.group->accesses[i].dtype);
  const int whole = std::min(graph::kVectorBytes, tile.vector * size);
  const bool is_vector = inner.flat ? *inner.flat == 1 : tile.divides && !shifted && inner.per_loop.back() == 1;
  if (is_vector && shifted) {
    const bool agrees = rows_agree(nest, i, static_cast<std::size_t>(tile.pivot), tile.vector);
    return {Pattern::vector, agrees ? whole : size};
  }
  if (is_vector) return {Pattern::vector, std::min(whole, word_bytes(nest, i))};
  if (!inner.flat && tile.divides && !shifted && inner.per_loop.back() == 0) return {Pattern::one, 0};
  return {Pattern::elements, 0};
}

/// How a thread with V rows reaches an operand.
AccessShape shape_across(const Tile& tile, const LoopNest& nest, std::size_t i) {
  const fusion::Access& access = nest.group->accesses[i];
  const graph::Dims& rows = nest.accesses[i].rows.per_loop;
  if (tile.vector == 1) return {Pattern::elements, 0};
  if (rows.back() == 0) return {Pattern::one, 0};
  const auto& guard = access.guard;
  const bool is_cut = guard && guard->axis == nest.rows.back().axis &&
                      (guard->begin % tile.vector != 0 || guard->end % tile.vector != 0);
  if (rows.back() != 1 || is_cut) return {Pattern::elements, 0};
  const int size = graph::size_of(access.dtype);
  std::int64_t divisor = std::gcd(std::int64_t{tile.vector} * size, std::int64_t{graph::kVectorBytes});
  divisor = std::gcd(std::gcd(divisor, access.alignment), access.offset * size);
  for (std::size_t k = 0; k + 1 < rows.size(); ++k) divisor = std::gcd(divisor, rows[k] * size);
  for (const std::int64_t stride : nest.accesses[i].inner.per_loop) divisor = std::gcd(divisor, stride * size);
  return {Pattern::vector, static_cast<int>(divisor)};
}

}  // namespace

int column_scratch_states(const Tile& tile) {
  const int parts = tile.threads_across() < 32 ? tile.threads / 32 : tile.threads_per_row;
  return parts > 1 ? (parts + 1) * tile.threads_across() * tile.vector : 0;
}

int widest_vector(const LoopNest& nest) {
  int narrowest = 16, widest = 1;
  for (std::size_t i = 0; i < nest.accesses.size(); ++i) {
    if (!is_contiguous(nest, i)) continue;
    const int size = graph::size_of(nest.group->accesses[i].dtype);
    narrowest = std::min(narrowest, size);
    widest = std::max(widest, size);
  }
  return std::max(1, std::min(graph::kVectorBytes / narrowest, kMostBytesOfVector / widest));
}

void set_vector(Tile& tile, const LoopNest& nest, int vector, bool shifted) {
  tile.vector = vector;
  tile.divides = nest.inner.size() <= 1 || nest.inner.back().extent % vector == 0;
  tile.pivot = find_pivot(nest);
  tile.accesses.clear();
  for (std::size_t i = 0; i < nest.accesses.size(); ++i) tile.accesses.push_back(shape_of(tile, nest, i, shifted));
}

void set_column_vector(Tile& tile, const LoopNest& nest, int vector) {
  ensure(tile.columns && !nest.rows.empty(), "a tile of columns has rows");
  tile.vector = vector;
  tile.divides = true;
  tile.accesses.clear();
  for (std::size_t i = 0; i < nest.accesses.size(); ++i) tile.accesses.push_back(shape_across(tile, nest, i));
}

bool is_aligned(const Tile& tile, const LoopNest& nest) {
  for (std::size_t i = 0; i < tile.accesses.size(); ++i) {
    const int whole = std::min(graph::kVectorBytes, tile.vector * graph::size_of(nest.group->accesses[i].dtype));
    if (tile.accesses[i].pattern == Pattern::vector && tile.accesses[i].word_bytes < whole) return false;
  }
  return true;
}

int find_pivot(const LoopNest& nest) {
  int pivot = -1;
  std::pair<bool, int> pivot_rank;  // smaller is better
  for (std::size_t i = 0; i < nest.accesses.size(); ++i) {
    if (!is_flat_contiguous(nest, i)) continue;
    const std::pair<bool, int> rank{nest.accesses[i].rows.is_zero(), graph::size_of(nest.group->accesses[i].dtype)};
    if (pivot >= 0 && rank >= pivot_rank) continue;
    pivot = static_cast<int>(i);
    pivot_rank = rank;
  }
  return pivot;
}

}  // namespace torchweld::codegen
