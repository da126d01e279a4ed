#pragma once

#include <random>

#include "fusion/interpret_group.h"

namespace torchweld::testing {

/// A primitive graph of about `nodes` nodes: pointwise ops that broadcast, reductions, views, creations and cats over
/// small sizes, with one to three outputs. Equal seeds give equal graphs.
[[nodiscard]] graph::Graph random_graph(std::uint32_t seed, int nodes);

/// Buffers for the inputs of a graph, filled with numbers between -2 and 2.
[[nodiscard]] Memory random_inputs(const graph::Graph& graph, std::uint32_t seed);

}  // namespace torchweld::testing
