#pragma once

#include "graph/graph.h"

namespace torchweld::graph {

/// A region that rounds the result of every op that computes to that result's dtype, as eager does, which stores it.
/// Only 16-bit floats are held in more than their own bits; for all others rounding changes nothing.
[[nodiscard]] Graph round_every_op(const Graph& region);

}  // namespace torchweld::graph
