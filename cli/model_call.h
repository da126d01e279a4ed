#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <string>
#include <vector>

namespace torchweld::cli {

/// What every subcommand that runs a model is given.
struct CallOptions {
  std::string model;
  std::vector<std::string> inputs;
  std::string inputs_file;
  std::string device = "cpu";
  std::string method = "forward";
  std::uint64_t seed = 0;
};

/// A model as it was loaded, on its device, and the inputs of its calls.
struct ModelCall {
  torch::jit::Module module;
  std::string method;
  c10::Device device;
  std::vector<c10::IValue> inputs;  ///< on the host; one per parameter, those with a default may be missing
};

/// Loads the model, makes the inputs and checks them against the method's schema. Throws Error.
[[nodiscard]] ModelCall load_call(const CallOptions& options);

/// Calls the method of `module` (the loaded one, or an optimized copy) once, on fresh copies of the inputs, and waits
/// for the device. `seconds`, when given, receives the time of the call alone.
c10::IValue call(const ModelCall& request, torch::jit::Module& module, double* seconds = nullptr);

/// The call that plans and compiles, with its progress on a terminal.
c10::IValue first_call(const ModelCall& request, torch::jit::Module& module, double* seconds = nullptr);

}  // namespace torchweld::cli
