// What the Python package calls: boxed operators that take and return modules as values of type Any, so that no binary
// depends on the version of Python.

#include <ATen/core/stack.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <torch/custom_class.h>
#include <torch/library.h>

#include <map>
#include <string>
#include <utility>

#include "report/collect.h"
#include "report/describe.h"
#include "report/kernel_texts.h"
#include "torchweld/torchweld.h"

namespace torchweld {
namespace {

using torch::jit::Stack;

/// What optimize did, as Python keeps it beside a module.
struct OutcomeObject : torch::CustomClassHolder {
  explicit OutcomeObject(Outcome held) : outcome(std::move(held)) {}
  Outcome outcome;
};

torch::jit::Module module_from(const c10::IValue& value) {
  if (!value.isModule()) throw Error("torchweld: the argument is a " + value.tagKind() + ", expected a ScriptModule");
  return value.toModule();
}

Options options_from(const c10::IValue& value) {
  std::map<std::string, std::string> named;
  for (const auto& entry : value.toGenericDict()) named[entry.key().toStringRef()] = entry.value().toStringRef();
  return options_from_strings(named);
}

/// Takes the last `count` arguments off the stack.
std::vector<c10::IValue> take(Stack& stack, std::size_t count) {
  std::vector<c10::IValue> arguments = torch::jit::last(stack, count).vec();
  torch::jit::drop(stack, count);
  return arguments;
}

void options_boxed(const c10::OperatorHandle&, Stack* stack) {
  const auto arguments = take(*stack, 1);
  c10::Dict<std::string, std::string> all;
  for (const auto& [name, text] : strings_from_options(options_from(arguments[0]))) all.insert(name, text);
  stack->emplace_back(std::move(all));
}

void optimize_boxed(const c10::OperatorHandle&, Stack* stack) {
  const auto arguments = take(*stack, 2);
  stack->emplace_back(optimize(module_from(arguments[0]), options_from(arguments[1]))._ivalue());
}

void optimize_with_outcome_boxed(const c10::OperatorHandle&, Stack* stack) {
  const auto arguments = take(*stack, 2);
  auto [module, outcome] = optimize_with_outcome(module_from(arguments[0]), options_from(arguments[1]));
  stack->emplace_back(module._ivalue());
  stack->emplace_back(c10::make_intrusive<OutcomeObject>(std::move(outcome)));
}

void load_boxed(const c10::OperatorHandle&, Stack* stack) {
  const auto arguments = take(*stack, 1);
  stack->emplace_back(load(arguments[0].toStringRef())._ivalue());
}

/// A module to report on, and the plans that are of interest.
struct Subject {
  torch::jit::Module module;
  const Outcome* outcome = nullptr;
  std::string method;
  report::PlanCalls before;
};

/// With inputs, calls a copy, since the module may keep state, and leaves out what that call did not use.
Subject subject_from(const std::vector<c10::IValue>& arguments) {
  Subject subject{module_from(arguments[0]), nullptr, arguments[2].toStringRef(), {}};
  if (!arguments[1].isNone()) subject.outcome = &arguments[1].toCustomClass<OutcomeObject>()->outcome;
  const auto inputs = arguments[3].toListRef();
  if (inputs.empty()) return subject;
  const c10::AutoGradMode no_grad(false);
  subject.module = subject.module.deepcopy();
  subject.before = report::plan_calls(subject.module);
  subject.module.get_method(subject.method)(inputs.vec());
  return subject;
}

void report_boxed(const c10::OperatorHandle&, Stack* stack) {
  const auto arguments = take(*stack, 5);
  const Subject subject = subject_from(arguments);
  report::Report report = report::collect(subject.module, subject.outcome, subject.method, subject.before);
  report.model = subject.module.type()->name() ? subject.module.type()->name()->name() : "module";
  const auto inputs = arguments[3].toListRef();
  report.inputs = inputs.empty() ? "those of all calls so far" : report::describe_inputs(inputs);
  const std::string& format = arguments[4].toStringRef();
  stack->emplace_back(format == "json"  ? report::json_of(report)
                      : format == "dot" ? report::dot_of(report)
                                        : report::text_of(report));
}

void kernels_boxed(const c10::OperatorHandle&, Stack* stack) {
  const auto arguments = take(*stack, 5);
  const Subject subject = subject_from(arguments);
  const auto regions = report::regions_of(subject.module, subject.outcome, subject.method, subject.before);
  stack->emplace_back(report::json_of(report::kernel_texts(regions, arguments[4].toStringRef())));
}

template <void (*Boxed)(const c10::OperatorHandle&, Stack*)>
void define(torch::Library& library, const char* schema) {
  library.def(schema, torch::CppFunction::makeFromBoxedFunction<Boxed>());
}

TORCH_LIBRARY_FRAGMENT(torchweld, library) {
  library.class_<OutcomeObject>("Outcome");
  define<&options_boxed>(library, "options(Dict(str, str) named) -> Dict(str, str)");
  define<&optimize_boxed>(library, "optimize(Any module, Dict(str, str) options) -> Any");
  define<&optimize_with_outcome_boxed>(library,
                                       "optimize_with_outcome(Any module, Dict(str, str) options) -> (Any, Any)");
  define<&load_boxed>(library, "load(str path) -> Any");
  define<&report_boxed>(library, "report(Any module, Any outcome, str method, Any[] inputs, str format) -> str");
  define<&kernels_boxed>(library, "kernels(Any module, Any outcome, str method, Any[] inputs, str target) -> str");
}

}  // namespace
}  // namespace torchweld
