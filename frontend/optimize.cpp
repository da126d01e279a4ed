#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/serialization/import.h>

#include <ATen/core/grad_mode.h>

#include <fstream>
#include <set>

#include "frontend/detach_weights.h"
#include "frontend/libtorch_compat.h"
#include "frontend/optimize_method.h"
#include "frontend/prepare.h"
#include "frontend/written_attributes.h"
#include "torchweld/torchweld.h"

namespace torchweld {
namespace {

using torch::jit::Module;

/// Why `module` cannot be edited; empty when it can.
std::string refusal_of(const Module& module) {
  for (const auto& each : module.modules())
    for (const char* name : {"__getstate__", "__setstate__"})
      if (each.find_method(name))
        return "module " + each.type()->name()->name() + " defines " + name + ": an edited copy of it cannot be loaded";
  return {};
}

void keep_out_pytorchs_fuser(const Module& module) {
  for (const auto& each : module.modules()) {
    for (const auto& method : each.get_methods()) frontend::use_simple_executor(method.function());
    for (auto* hook : each.type()->getForwardHooks()) frontend::use_simple_executor(*hook);
    for (auto* hook : each.type()->getForwardPreHooks()) frontend::use_simple_executor(*hook);
  }
}

/// Methods of `module` that its other methods call: they are inlined there.
std::set<std::string> called_methods(const Module& module) {
  std::set<std::string> called;
  for (const auto& method : module.get_methods()) {
    const auto graph = frontend::graph_of(method.function());
    for (auto* call : torch::jit::findAllNodes(*graph, torch::jit::prim::CallMethod, /*recurse=*/true))
      if (call->input(0) == graph->inputs()[0]) called.insert(call->s(torch::jit::attr::name));
  }
  return called;
}

Module optimized_copy(const Module& module, const Options& options, Outcome& outcome) {
  std::set<std::string> inlined = called_methods(module);
  inlined.erase("forward");
  Module copy = frontend::editable_copy(module);
  if (options.inference) frontend::detach_weights(copy);
  frontend::copy_written_attributes(copy);
  for (const auto& method : copy.get_methods()) {
    if (inlined.count(method.name()) != 0) continue;
    const auto graph = frontend::graph_of(method.function());
    frontend::simplify(graph);
    outcome.methods[method.name()] = frontend::optimize_method(graph, copy, options);
  }
  return copy;
}

/// What to say of a file that LibTorch refuses. Its messages about archives name parts of a zip file that mean nothing
/// to the caller; those about operators and types say what is missing.
std::string load_failure(const std::string& message) {
  if (message.find("PytorchStreamReader") != std::string::npos)
    return ": is no TorchScript file or is damaged, expected one made by torch.jit.save";
  return ": cannot be loaded as TorchScript: " + message;
}

Module unedited_copy(const Module& module) {
  try {
    return frontend::plain_copy(module);
  } catch (const c10::Error&) {
    return module;  // one that cannot even be copied
  }
}

}  // namespace

std::pair<Module, Outcome> optimize_with_outcome(const Module& module, const Options& options) {
  const at::NoGradGuard no_grad;
  const frontend::AutocastOff autocast_off;
  Outcome outcome;
  outcome.refusal = refusal_of(module);
  std::optional<Module> copy;
  if (outcome.refusal.empty()) {
    try {
      copy = optimized_copy(module, options, outcome);
    } catch (const c10::Error& error) {
      if (options.strict) throw;
      outcome = {.refusal = error.what_without_backtrace(), .methods = {}};
    } catch (const std::exception& error) {
      if (options.strict) throw;
      outcome = {.refusal = error.what(), .methods = {}};
    }
  }
  if (!copy) copy = unedited_copy(module);
  keep_out_pytorchs_fuser(*copy);
  return {*std::move(copy), std::move(outcome)};
}

Module optimize(const Module& module, const Options& options) { return optimize_with_outcome(module, options).first; }

Module load(const std::string& path) {
  if (!std::ifstream(path)) throw Error(path + ": cannot be read, expected a TorchScript file (torch.jit.save)");
  try {
    Module module = torch::jit::load(path);
    keep_out_pytorchs_fuser(module);
    return module;
  } catch (const c10::Error& error) {
    throw Error(path + load_failure(error.what_without_backtrace()));
  }
}

}  // namespace torchweld
