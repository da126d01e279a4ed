#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/inliner.h>

#include <unordered_map>

#include "frontend/libtorch_compat.h"
#include "frontend/prepare.h"
#include "frontend/sink_lists.h"

namespace torchweld::frontend {
namespace {

using torch::jit::Function;
using torch::jit::Graph;
using torch::jit::Module;
using TypePairs = std::unordered_map<c10::TypePtr, c10::TypePtr>;

/// Pairs the class types of two copies of one module, submodule by submodule.
void pair_types(const Module& from, const Module& to, TypePairs& pairs) {
  if (!pairs.emplace(from.type(), to.type()).second) return;
  for (const auto& child : from.named_children())
    if (to.hasattr(child.name) && to.attr(child.name).isModule())
      pair_types(child.value, to.attr(child.name).toModule(), pairs);
}

std::function<c10::TypePtr(c10::TypePtr)> remapping(const TypePairs& pairs) {
  return [&pairs](const c10::TypePtr& type) {
    const auto found = pairs.find(type);
    return found == pairs.end() ? type : found->second;
  };
}

void inline_and_sink(const Module& module) {
  for (const auto& method : module.get_methods()) {
    const auto graph = graph_of(method.function());
    torch::jit::Inline(*graph);
    show_aliases(*graph);
    sink_lists(*graph);
  }
}

/// Attributes whose type is an interface get the type of the module that they hold.
void make_interfaces_concrete(const Module& module) {
  for (const auto& child : module.named_children()) {
    if (module.type()->getAttribute(child.name)->kind() == c10::TypeKind::InterfaceType)
      module.type()->unsafeChangeAttributeType(child.name, child.value.type());
    make_interfaces_concrete(child.value);
  }
}

/// Gives the methods of `target` the graphs of `proof`, a frozen copy of it.
void graft(const Module& proof, Module& target) {
  make_interfaces_concrete(target);
  TypePairs pairs;
  pair_types(proof, target, pairs);
  for (const auto& method : proof.get_methods()) {
    const auto from = graph_of(method.function());
    const auto to = graph_of(target.get_method(method.name()).function());
    to->block()->clear();
    to->block()->cloneFrom(from->block(), [](torch::jit::Value* value) { return value; });
    to->remapTypes(remapping(pairs));
  }
}

Function* copied_hook(const Function& hook, const Module& owner, const TypePairs& pairs) {
  if (Function* method = owner.type()->findMethod(hook.name())) return method;
  auto graph = torch::jit::toGraphFunction(hook).graph()->copy();
  graph->remapTypes(remapping(pairs));
  const c10::QualifiedName name(*owner.type()->name(), hook.name());
  Function* copy = owner._ivalue()->compilation_unit()->create_function(name, std::move(graph));
  copy->setSchema(hook.getSchema());
  return copy;
}

void copy_hooks(const Module& from, const Module& to, const TypePairs& pairs) {
  if (to.type()->getForwardHooks().empty())
    for (const Function* hook : from.type()->getForwardHooks())
      to.type()->addForwardHook(copied_hook(*hook, to, pairs));
  if (to.type()->getForwardPreHooks().empty())
    for (const Function* hook : from.type()->getForwardPreHooks())
      to.type()->addForwardPreHook(copied_hook(*hook, to, pairs));
  for (const auto& child : from.named_children()) copy_hooks(child.value, to.attr(child.name).toModule(), pairs);
}

std::vector<std::string> method_names(const Module& module) {
  std::vector<std::string> names;
  for (const auto& method : module.get_methods()) names.push_back(method.name());
  return names;
}

}  // namespace

Module editable_copy(const Module& module) {
  const Module subject = module.clone(/*inplace=*/true);
  inline_and_sink(subject);
  Module copy = plain_copy(module);
  try {
    graft(frozen_copy(subject, method_names(module)), copy);
  } catch (const c10::Error&) {
    inline_and_sink(copy);  // some modules cannot be frozen: their attributes are then read where they are
  }
  return copy;
}

Module plain_copy(const Module& module) {
  Module copy = module.clone(/*inplace=*/true);
  TypePairs pairs;
  pair_types(module, copy, pairs);
  copy_hooks(module, copy, pairs);
  return copy;
}

}  // namespace torchweld::frontend
