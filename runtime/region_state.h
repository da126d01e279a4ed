#pragma once

#include <ATen/core/ivalue.h>

#include "runtime/region.h"

namespace torchweld::runtime {

/// Version of the saved form. A reader takes its own and all older ones.
inline constexpr std::int64_t kStateVersion = 1;
/// What kind of object a state is of; room for others beside regions.
inline constexpr std::string_view kRegionKind = "region";

/// The saved form: (version, kind, text, lines, node_lines, weights, options by name).
[[nodiscard]] c10::IValue saved_from_state(const RegionState& state);
/// The inverse. Throws Error for a version newer than ours, another kind, or fields that are not as above.
[[nodiscard]] RegionState state_from_saved(const c10::IValue& saved);

}  // namespace torchweld::runtime
