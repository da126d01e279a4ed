#pragma once

#include "graph/graph.h"

namespace torchweld::fusion {

/// Slices operands in place of results: slice(a + b) => slice(a) + slice(b), where nothing else uses a + b. A slice of
/// memory is free, and a slice of a computed value keeps two kernels apart. A pass on primitive graphs, to be run
/// before make_plan; types of inputs and outputs do not change.
[[nodiscard]] graph::Graph sink_slices(const graph::Graph& primitive);

}  // namespace torchweld::fusion
