#pragma once

#include "graph/passes.h"

namespace torchweld {

/// What the types of a region's inputs say of a call.
[[nodiscard]] graph::CallFacts facts_of(const graph::Graph& region);

}  // namespace torchweld
