#pragma once

#include <cstdint>
#include <vector>

#include "codegen/loop.h"

namespace torchweld::codegen {

constexpr int kLanes = 32;  ///< of a warp

/// How a thread reaches the V neighbours of an operand.
enum class Pattern : std::uint8_t {
  uniform,   ///< does not depend on the inner index: read once, before the loops
  vector,    ///< V neighbours in memory, in words of AccessShape::word_bytes
  one,       ///< one element serves the whole vector
  elements,  ///< V accesses, each with an offset of its own
  turned,    ///< V neighbours along the other loop of a square that is turned in shared memory
};

struct AccessShape {
  Pattern pattern = Pattern::elements;
  int word_bytes = 16;
  bool operator==(const AccessShape&) const = default;
};

/// Where the length of the inner part falls short of whole tiles.
enum class Ends : std::uint8_t {
  exact,          ///< every thread has K whole vectors
  whole_vectors,  ///< a vector is inside or outside
  ragged,         ///< the last vector is partial
  shifted,        ///< rows begin anywhere: an aligned body, and single elements before and after it
};

/// The shape class of a CUDA kernel: with the structure of the group, all that its text depends on.
struct Tile {
  int vector = 1;              ///< V: elements a vector
  int threads = 128;           ///< T: threads a block
  int vectors_per_thread = 1;  ///< K
  int threads_per_row = 0;     ///< 0: no rows, blocks divide the inner part
  bool looped = false;         ///< the row is walked in steps, once for each phase
  Ends ends = Ends::whole_vectors;
  bool wide = false;         ///< 64-bit indices
  bool columns = false;      ///< vectors lie along the rows, which are neighbours in memory: V rows a thread
  bool ragged_rows = false;  ///< columns: the last vector of rows is partial
  bool squares = false;      ///< blocks take squares of the two innermost loops
  bool divides = false;      ///< V divides the innermost extent, so that an index is decomposed once for each vector
  int pivot = -1;            ///< the access whose rows decide where a shifted body begins
  std::vector<AccessShape> accesses;

  [[nodiscard]] bool has_rows() const { return threads_per_row > 0; }
  /// Indices along each side of a square, whose rows are those of a warp's vectors.
  [[nodiscard]] int side() const { return kLanes * vector; }
  /// Threads beside each other, of different rows.
  [[nodiscard]] int threads_across() const { return has_rows() ? threads / threads_per_row : 1; }
  [[nodiscard]] int rows_per_block() const { return has_rows() ? threads_across() * (columns ? vector : 1) : 0; }
  /// Inner indices of a vector.
  [[nodiscard]] int inner_vector() const { return columns ? 1 : vector; }
  /// Threads that share the inner part between them within one block.
  [[nodiscard]] int threads_along() const { return has_rows() ? threads_per_row : threads; }
};

/// Room of column_reduce: the partial results of each warp, or of each thread along where those are fewer, and the
/// result.
[[nodiscard]] int column_scratch_states(const Tile& tile);

/// Elements of a 16-byte access of the narrowest operand that is contiguous along the innermost loop.
[[nodiscard]] int widest_vector(const LoopNest& nest);

/// Sets vector, divides and accesses for a vector width. `shifted`: rows begin anywhere, so that only operands whose
/// rows are misaligned like the pivot's are vectors.
void set_vector(Tile& tile, const LoopNest& nest, int vector, bool shifted);

/// The same for a tile of columns, whose vectors lie along the innermost loop of the rows.
void set_column_vector(Tile& tile, const LoopNest& nest, int vector);

/// Whether every contiguous operand can be accessed in words of 16 bytes (or its whole vector) for this tile.
[[nodiscard]] bool is_aligned(const Tile& tile, const LoopNest& nest);

/// The operand by whose rows shifted rows are aligned, -1 when none is contiguous along the inner part. The narrowest
/// one: where its vectors are aligned, so are those of operands whose rows begin at the same elements.
[[nodiscard]] int find_pivot(const LoopNest& nest);

}  // namespace torchweld::codegen
