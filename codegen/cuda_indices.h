#pragma once

#include <string>

#include "codegen/arguments.h"
#include "codegen/text.h"
#include "codegen/tile.h"

namespace torchweld::codegen {

/// Where a piece of kernel text stands.
enum class Spot : std::uint8_t {
  row,      ///< once a row, or once a kernel without rows
  vector,   ///< at a vector that begins at inner index j
  element,  ///< at element v of it; of row values too, where a thread has V rows
  edge,     ///< at the single inner index j
};

/// Prints indices and offsets of CUDA kernels. Names: `row` and `j` are flat indices of the two parts; row_0, row_1 and
/// j_0, j_1 those of their loops; `i` is the flat index of one element where a vector straddles loops.
class CudaIndices {
public:
  CudaIndices(const LoopNest& nest, const Tile& tile, Arguments& arguments);

  /// "unsigned", or "i64" for wide kernels.
  [[nodiscard]] std::string_view type() const { return tile_.wide ? "i64" : "unsigned"; }
  /// Moves each pointer to the row.
  void bump_pointers(Text& text, const std::vector<std::string>& pointers, const std::vector<bool>& used);
  /// Defines the loops' indices of the row; nothing when no operand needs them.
  void split_row(Text& text);
  /// The same for j (at a vector or an edge), and for i (at an element that a vector cannot speak for).
  void split_inner(Text& text, Spot spot);
  /// Whether split_inner prints anything there.
  [[nodiscard]] bool splits_at(Spot spot) const;

  /// Offset of an access from its row's beginning, empty for none.
  [[nodiscard]] std::string offset(int access, const std::string& pointer, Spot spot);
  /// "in0[offset]"
  [[nodiscard]] std::string element(int access, const std::string& pointer, Spot spot);
  /// The index along a group's axis.
  [[nodiscard]] std::string axis_index(int axis, Spot spot) const;
  /// The flat inner index.
  [[nodiscard]] std::string flat_index(Spot spot) const;

private:
  void split(Text& text, const std::string& index, const std::vector<Loop>& loops, const std::string& divisor);
  [[nodiscard]] std::string inner_loop_index(std::size_t loop, Spot spot) const;

  const LoopNest& nest_;
  const Tile& tile_;
  Arguments& arguments_;
  bool rows_split_ = false;
  bool inner_split_ = false;
  bool by_element_ = false;  ///< j says nothing of the loops' indices at the other elements of its vector
};

}  // namespace torchweld::codegen
