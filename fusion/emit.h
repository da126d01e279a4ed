#pragma once

#include "fusion/domain.h"

namespace torchweld::fusion {

/// Writes a legal formation down as a scalar program, with its bytes.
[[nodiscard]] Group emit_group(const Units& units, const Formation& formed, const Domain& domain);

}  // namespace torchweld::fusion
