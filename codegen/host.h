#pragma once

#include <string>

#include "codegen/kernel.h"

namespace torchweld::codegen {

/// Prints the host kernel of a group. One schedule for all: plain loops over rows, the inner loops once for each
/// phase; values that are dear to compute again are kept in a buffer as long as a row. Without a reduction the work
/// items are elements, or rows along the innermost loop where operands disagree on the others.
[[nodiscard]] Kernel print_host(const fusion::Group& group, std::string name);

}  // namespace torchweld::codegen
