#pragma once

#include <string>

#include "codegen/kernel.h"
#include "codegen/loop.h"
#include "codegen/tile.h"

namespace torchweld::codegen {

/// Prints a kernel without reductions whose operands disagree about which loop is contiguous: blocks take squares of
/// the two loops, and operands of the other loop pass through shared memory, so that all are accessed in whole lines.
[[nodiscard]] Kernel print_squares(const LoopNest& nest, const Tile& tile, std::string name, std::string_view schedule);

}  // namespace torchweld::codegen
