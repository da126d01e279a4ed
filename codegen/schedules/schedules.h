#pragma once

#include <optional>

#include "codegen/cuda_phases.h"
#include "codegen/kernel.h"
#include "codegen/tile.h"

namespace torchweld::codegen {

/// Accepts every group without a reduction. One tile of T x K vectors a block, along the innermost loop.
[[nodiscard]] Tile choose_pointwise_tile(const LoopNest& nest, const Target& target);

/// Accepts groups without a reduction some operand of which is contiguous along another loop than the innermost:
/// squares of both are turned in shared memory. Then the two loops are the inner part of the nest, all others its rows.
[[nodiscard]] std::optional<Tile> choose_square_tile(LoopNest& nest, const Target& target);

/// Accepts groups with a reduction whose rows fit in the registers of one block: each operand is read once. Several
/// rows a warp, a row a warp, or a row a block, by length. Empty when it does not accept.
[[nodiscard]] std::optional<Tile> choose_row_tile(const LoopNest& nest, const Target& target);

/// Accepts every group with a reduction: walks the row once for each phase. For rows too long for registers, for
/// reductions over dims that are not contiguous, and as the last resort.
[[nodiscard]] Tile choose_looped_row_tile(const LoopNest& nest, const Target& target);

/// Whether a group reduces over what is strided while neighbouring rows are neighbours in memory.
[[nodiscard]] bool is_column_reduction(const LoopNest& nest);

/// Accept column reductions: threads across the rows, V rows each, and along what is reduced. The first keeps its
/// columns in registers and is empty where they are too long; the second walks them once for each phase.
[[nodiscard]] std::optional<Tile> choose_column_tile(const LoopNest& nest, const Target& target);
[[nodiscard]] Tile choose_looped_column_tile(const LoopNest& nest, const Target& target);

/// Nothing of a row is needed again once its reductions are done.
[[nodiscard]] bool walks_once(const LoopNest& nest);

/// How to share each row between blocks where a tile alone leaves multiprocessors idle and nothing but the results of
/// the reductions is needed afterwards; empty when not worth a second kernel.
[[nodiscard]] std::optional<Part> choose_split(const LoopNest& nest, const Tile& tile, const Target& target);
/// For the kernel that combines the partial results: several rows a block, at most a warp for each.
[[nodiscard]] Tile choose_combining_tile(const LoopNest& nest, const Part& part);

/// Sets the vector of a tile over rows, whose length need be no multiple of it: ends, patterns and the least threads
/// that a row then takes.
struct RowVector {
  bool shifted = false;
  int least_threads = 1;
};
[[nodiscard]] RowVector set_row_vector(Tile& tile, const LoopNest& nest);

/// Bytes of operands that a thread reaches in vectors, and otherwise, for each element.
[[nodiscard]] bool is_mostly_vectors(const Tile& tile, const LoopNest& nest);

/// Bytes of all loads of the first phase, for one inner index.
[[nodiscard]] int bytes_of_first_loads(const LoopNest& nest);

/// Registers a thread for values, at one block a multiprocessor: without those for addresses and temporaries.
[[nodiscard]] int registers_for_values(const Tile& tile);

/// The least power of two that is not below `n`.
[[nodiscard]] int power_of_two_above(std::int64_t n);

}  // namespace torchweld::codegen
