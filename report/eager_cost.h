#pragma once

#include <cstdint>
#include <string>

#include "graph/passes.h"

namespace torchweld::report {

/// True unless eager returns a view of an argument, as far as the op's schema tells.
[[nodiscard]] bool launches_kernel(const std::string& op);

/// What eager does for the nodes of a region in one call.
struct EagerCost {
  int kernels = 0;
  std::int64_t bytes = 0;
};

/// The memory that the nodes of a region move when eager runs them one by one: the inputs and outputs of each, once. A
/// softmax counts as one node here; fusion::Plan::bytes_eager counts the primitives that it is made of. 0 when the
/// region cannot be typed.
[[nodiscard]] EagerCost eager_cost(const graph::Graph& region, const graph::CallFacts& facts);

}  // namespace torchweld::report
