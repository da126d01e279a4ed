#pragma once

#include "frontend/borders.h"
#include "runtime/region.h"

namespace torchweld::frontend {

/// Prints what `region` computes as TorchScript IR that parseIR reads, with its source lines beside it. Inputs are the
/// region's tensors, then its scalars. Types and names of values are left out, so that equal regions print equal text.
[[nodiscard]] runtime::RegionState state_from_region(const Region& region, const Options& options);

}  // namespace torchweld::frontend
