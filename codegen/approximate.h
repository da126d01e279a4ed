#pragma once

#include <vector>

#include "fusion/group.h"

namespace torchweld::codegen {

/// Per statement: whether its expression may take its approximate form (approximate_form). An error of about 2^-21
/// vanishes when a 16-bit result is rounded, provided that every output it reaches is 16-bit and that no subtraction
/// or other function on the way enlarges it.
[[nodiscard]] std::vector<bool> find_approximable(const fusion::Group& group);

}  // namespace torchweld::codegen
