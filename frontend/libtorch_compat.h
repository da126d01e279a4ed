#pragma once

// All that differs between LibTorch releases. No other file tests a LibTorch version.

#include <ATen/autocast_mode.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/passes/freeze_module.h>
#include <torch/version.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#if TORCH_VERSION_MAJOR < 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 6)
#error "torchweld needs LibTorch 2.6 or newer"
#endif

namespace torchweld::frontend {

/// The graph of a TorchScript function, defined if it was not yet.
inline std::shared_ptr<torch::jit::Graph> graph_of(torch::jit::Function& function) {
  function.ensure_defined();
  return torch::jit::toGraphFunction(function).graph();
}

/// Keeps PyTorch's own fuser and its profiling runs out of `function`. Has no effect once the function has run, and
/// does not travel in a saved file.
inline void use_simple_executor(torch::jit::Function& function) {
  if (auto* scripted = torch::jit::tryToGraphFunction(function))
    scripted->_set_initial_executor_execution_mode(torch::jit::ExecutorExecutionMode::SIMPLE);
}

/// A frozen copy of `module`: its graphs show which attributes are constant. Parameters and buffers stay attributes.
inline torch::jit::Module frozen_copy(const torch::jit::Module& module, std::vector<std::string> methods) {
  return torch::jit::freeze_module(module, std::move(methods), /*freezeInterfaces=*/true, /*preserveParameters=*/true);
}

/// Switches autocast off while it lives: passes that look at graphs under autocast would write its casts into them.
class AutocastOff {
public:
  AutocastOff() {
    for (std::size_t i = 0; i < kDevices.size(); ++i) {
      was_on_[i] = at::autocast::is_autocast_enabled(kDevices[i]);
      at::autocast::set_autocast_enabled(kDevices[i], false);
    }
  }
  ~AutocastOff() {
    for (std::size_t i = 0; i < kDevices.size(); ++i) at::autocast::set_autocast_enabled(kDevices[i], was_on_[i]);
  }
  AutocastOff(const AutocastOff&) = delete;
  AutocastOff& operator=(const AutocastOff&) = delete;

private:
  static constexpr std::array<at::DeviceType, 2> kDevices{at::kCPU, at::kCUDA};
  std::array<bool, kDevices.size()> was_on_{};
};

}  // namespace torchweld::frontend
