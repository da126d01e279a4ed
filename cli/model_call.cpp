#include "cli/model_call.h"

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <optional>

#include "cli/inputs.h"
#include "cli/terminal.h"
#include "report/describe.h"
#include "runtime/runtime.h"
#include "torchweld/torchweld.h"

namespace torchweld::cli {
namespace {

c10::Device device_from(const std::string& name) {
  if (name == "cpu") return c10::kCPU;
  if (name != "cuda") throw Error(fmt::format("--device {}: unknown device, expected cpu or cuda", name));
  if (!at::globalContext().hasCUDA()) throw Error("--device cuda: no CUDA device found, use --device cpu");
  return {c10::kCUDA, 0};
}

std::vector<c10::IValue> inputs_from(const CallOptions& options) {
  if (!options.inputs_file.empty()) {
    if (!options.inputs.empty()) throw Error("--inputs: given beside --input, expected one of the two");
    return load_inputs(options.inputs_file);
  }
  std::vector<InputSpec> specs;
  for (const std::string& text : options.inputs) specs.push_back(parse_input(text));
  return make_inputs(specs, options.seed);
}

torch::jit::Method method_of(const torch::jit::Module& module, const CallOptions& options) {
  if (const auto method = module.find_method(options.method)) return *method;
  std::vector<std::string> names;
  for (const torch::jit::Method& method : module.get_methods()) names.push_back(method.name());
  throw Error(fmt::format("{}: has no method '{}', expected one of: {}", options.model, options.method,
                          fmt::join(names, ", ")));
}

/// Parameters of the method, self left out.
std::vector<c10::Argument> parameters_of(const torch::jit::Method& method) {
  const auto& arguments = method.function().getSchema().arguments();
  return {arguments.begin() + 1, arguments.end()};
}

std::string list_parameters(const std::vector<c10::Argument>& parameters) {
  std::vector<std::string> parts;
  for (const c10::Argument& parameter : parameters)
    parts.push_back(fmt::format("{}: {}{}", parameter.name(), parameter.type()->repr_str(),
                                parameter.default_value() ? " (optional)" : ""));
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

void check_count(const CallOptions& options, const std::vector<c10::Argument>& parameters, std::size_t given) {
  std::size_t needed = 0;
  for (const c10::Argument& parameter : parameters) needed += parameter.default_value() ? 0 : 1;
  if (given >= needed && given <= parameters.size()) return;
  const std::string expected =
      needed == parameters.size() ? fmt::format("{}", needed) : fmt::format("{} to {}", needed, parameters.size());
  throw Error(fmt::format("{}: {}: {} input{} given, expected {}: {}", options.model, options.method, given,
                          given == 1 ? "" : "s", expected, list_parameters(parameters)));
}

/// Whole numbers and lists of them may stand for floats, as in Python. Containers are left to TorchScript to check.
void fit(const CallOptions& options, const c10::Argument& parameter, std::size_t index, c10::IValue& value) {
  c10::TypePtr wanted = parameter.type();
  if (const auto optional = wanted->cast<c10::OptionalType>()) wanted = optional->getElementType();
  if (wanted->kind() == c10::TypeKind::FloatType && value.isInt()) value = static_cast<double>(value.toInt());
  const bool simple = value.isTensor() || value.isInt() || value.isDouble() || value.isBool();
  if (!simple || value.type()->isSubtypeOf(*parameter.type())) return;
  throw Error(fmt::format("{}: {}: input {} ({}) is {}, expected {}", options.model, options.method, index,
                          parameter.name(), report::describe(value), parameter.type()->repr_str()));
}

}  // namespace

ModelCall load_call(const CallOptions& options) {
  const c10::Device device = device_from(options.device);
  std::vector<c10::IValue> inputs = inputs_from(options);
  torch::jit::Module module = load(options.model);
  const std::vector<c10::Argument> parameters = parameters_of(method_of(module, options));
  check_count(options, parameters, inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) fit(options, parameters[i], i, inputs[i]);
  module.to(device);
  return {std::move(module), options.method, device, std::move(inputs)};
}

c10::IValue call(const ModelCall& request, torch::jit::Module& module, double* seconds) {
  const c10::AutoGradMode no_grad(false);
  std::vector<c10::IValue> inputs;
  for (const c10::IValue& input : request.inputs) inputs.push_back(copy_to(input, request.device));
  const auto wait = [&] {
    if (request.device.is_cuda()) at::detail::getCUDAHooks().deviceSynchronize(request.device.index());
  };
  wait();
  const auto start = std::chrono::steady_clock::now();
  c10::IValue result = module.get_method(request.method)(std::move(inputs));
  wait();
  if (seconds) *seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

c10::IValue first_call(const ModelCall& request, torch::jit::Module& module, double* seconds) {
  const Progress progress("compiling kernels", [] { return runtime::Runtime::get().kernels.num_compiled(); });
  return call(request, module, seconds);
}

}  // namespace torchweld::cli
