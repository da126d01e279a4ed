#pragma once

#include <string>
#include <utility>

#include "torchweld/error.h"
#include "torchweld/options.h"
#include "torchweld/outcome.h"

namespace torch::jit {
struct Module;
}

namespace torchweld {

/// A copy of `module` whose memory-bound nodes run as fused kernels. Every method, parameter, buffer, attribute and
/// hook is kept under its name; weights are shared with `module`, buffers that a method writes are copied. A module
/// that cannot be optimized comes back as a plain copy.
[[nodiscard]] torch::jit::Module optimize(const torch::jit::Module& module, const Options& options = {});

/// optimize(), and what it did.
[[nodiscard]] std::pair<torch::jit::Module, Outcome> optimize_with_outcome(const torch::jit::Module& module,
                                                                           const Options& options = {});

/// Loads a saved module and keeps PyTorch's own fuser and profiling runs out of all its methods.
/// Throws Error when `path` is missing or is no TorchScript file.
[[nodiscard]] torch::jit::Module load(const std::string& path);

/// What was fused in an optimized or loaded module, what was not and why, and the bytes that each choice moves: text of
/// 80 columns about all calls so far. Without the outcome of its optimize() it tells of regions alone. Throws Error
/// when the module has no such method.
[[nodiscard]] std::string report_text(const torch::jit::Module& module, const Outcome& outcome = {},
                                      const std::string& method = "forward");

}  // namespace torchweld
