#pragma once

#include <string>

#include "codegen/arguments.h"
#include "codegen/kernel.h"
#include "codegen/tile.h"

namespace torchweld::codegen {

/// A CUDA kernel around its body: header comment, signature, arguments.
[[nodiscard]] Kernel kernel_from_body(const std::string& body, Arguments& arguments, const Tile& tile, std::string name,
                                      std::string_view schedule);

}  // namespace torchweld::codegen
