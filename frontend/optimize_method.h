#pragma once

#include <memory>

#include "torchweld/options.h"
#include "torchweld/outcome.h"

namespace torch::jit {
struct Graph;
struct Module;
}  // namespace torch::jit

namespace torchweld::frontend {

/// Replaces what can be fused in `graph`, an inlined and simplified method of `self`, by calls of torchweld::execute.
/// Throws InternalError, with the graph as it was, when an invariant does not hold.
MethodOutcome optimize_method(const std::shared_ptr<torch::jit::Graph>& graph, torch::jit::Module& self,
                              const Options& options);

}  // namespace torchweld::frontend
