#pragma once

#include <string_view>

#include "fusion/plan.h"

namespace torchweld::testing {

/// The primitive graph of a region given as text: inputs typed, results `tensor`. Throws std::runtime_error with the
/// reason where it cannot be typed or lowered.
[[nodiscard]] graph::Graph primitives_of(std::string_view region);

/// The plan of a primitive graph; throws std::runtime_error where there is none.
[[nodiscard]] fusion::Plan plan_of(const graph::Graph& primitive, bool fuse = true);

}  // namespace torchweld::testing
