#include <algorithm>

#include "codegen/schedules/schedules.h"

namespace torchweld::codegen {
namespace {

/// transpose * 2 + relu in f32 runs at .966 of a copy with 256 threads on a square of 32 x 32; 64 x 64 costs 3 %.
constexpr int kThreads = 256;
/// Loops shorter than this fill less than half of a square's side.
constexpr std::int64_t kLeastExtent = 16;
/// Bytes of a lane's access that make a warp's run a line of memory.
constexpr int kBytesOfLane = 4;

int size_of(const LoopNest& nest, std::size_t access) { return graph::size_of(nest.group->accesses[access].dtype); }

/// Contiguous along `loop` while it depends on the innermost loop too.
bool is_turned(const LoopNest& nest, std::size_t access, std::size_t loop) {
  const graph::Dims& strides = nest.accesses[access].inner.per_loop;
  return strides[loop] == 1 && strides.back() != 0 && strides.back() != 1;
}

/// The loop along which most bytes of operands are contiguous that are not so along the innermost; -1 for none.
int find_other_loop(const LoopNest& nest) {
  int best = -1, best_bytes = 0;
  if (nest.inner.size() < 2 || nest.inner.back().extent < kLeastExtent) return best;
  for (std::size_t loop = 0; loop + 1 < nest.inner.size(); ++loop) {
    if (nest.inner[loop].extent < kLeastExtent) continue;
    int bytes = 0;
    for (std::size_t i = 0; i < nest.accesses.size(); ++i) bytes += is_turned(nest, i, loop) ? size_of(nest, i) : 0;
    if (bytes <= best_bytes) continue;
    best = static_cast<int>(loop);
    best_bytes = bytes;
  }
  return best;
}

/// Whether an access allows `vector` elements at once along a loop (0 or 1) of the square.
bool allows_vector(const LoopNest& nest, std::size_t i, std::size_t along, int vector) {
  const fusion::Access& access = nest.group->accesses[i];
  const int bytes = vector * graph::size_of(access.dtype);
  if (access.guard && vector > 1) return false;
  if (access.alignment % bytes != 0 || access.offset % vector != 0) return false;
  if (nest.accesses[i].inner.per_loop[1 - along] % vector != 0) return false;
  const graph::Dims& rows = nest.accesses[i].rows.per_loop;
  return std::all_of(rows.begin(), rows.end(), [&](std::int64_t stride) { return stride % vector == 0; });
}

AccessShape shape_in_square(const LoopNest& nest, std::size_t i) {
  const graph::Dims& strides = nest.accesses[i].inner.per_loop;
  if (is_turned(nest, i, 0)) return {Pattern::turned, 0};
  if (strides.back() == 0) return {Pattern::one, 0};
  return {strides.back() == 1 ? Pattern::vector : Pattern::elements, 0};
}

/// V for which each lane has four bytes of the narrowest operand, where every operand allows it.
int choose_vector(const LoopNest& nest, const std::vector<AccessShape>& shapes) {
  int narrowest = kBytesOfLane;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    if (shapes[i].pattern == Pattern::vector || shapes[i].pattern == Pattern::turned)
      narrowest = std::min(narrowest, size_of(nest, i));
  const int vector = narrowest < kBytesOfLane ? 2 : 1;
  if (nest.inner[0].extent % vector != 0 || nest.inner[1].extent % vector != 0) return 1;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::size_t along = shapes[i].pattern == Pattern::turned ? 0 : 1;
    if (shapes[i].pattern == Pattern::vector || shapes[i].pattern == Pattern::turned)
      if (!allows_vector(nest, i, along, vector)) return 1;
    if (nest.group->accesses[i].guard) return 1;
  }
  return vector;
}

/// Operands beyond what shared memory holds are not turned.
void limit_turned(Tile& tile, const LoopNest& nest, const Target& target) {
  int bytes = 0;
  for (std::size_t i = 0; i < tile.accesses.size(); ++i) {
    if (tile.accesses[i].pattern != Pattern::turned) continue;
    const int needed = tile.side() * (tile.side() + tile.vector) * size_of(nest, i);
    if (bytes + needed > target.shared_bytes_per_block)
      tile.accesses[i] = {Pattern::elements, 0};
    else
      bytes += needed + graph::kVectorBytes;
  }
}

}  // namespace

std::optional<Tile> choose_square_tile(LoopNest& nest, const Target& target) {
  const int loop = find_other_loop(nest);
  if (loop < 0) return std::nullopt;
  Tile tile;
  tile.squares = true;
  tile.wide = needs_wide_index(nest);
  split_innermost_two(nest, static_cast<std::size_t>(loop));
  for (LoopAccess& access : nest.accesses)  // the square has an index for each of its loops, none that is flat
    if (!access.inner.is_zero()) access.inner.flat.reset();
  for (std::size_t i = 0; i < nest.accesses.size(); ++i) tile.accesses.push_back(shape_in_square(nest, i));
  tile.vector = choose_vector(nest, tile.accesses);
  tile.divides = true;
  tile.threads = kThreads;
  tile.vectors_per_thread = tile.side() * kLanes / kThreads;
  limit_turned(tile, nest, target);
  const int side = tile.side();
  const bool exact = nest.inner[0].extent % side == 0 && nest.inner[1].extent % side == 0;
  tile.ends = exact ? Ends::exact : Ends::whole_vectors;
  return tile;
}

}  // namespace torchweld::codegen
