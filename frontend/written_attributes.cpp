#include "frontend/written_attributes.h"

#include <ATen/ops/empty.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/alias_analysis.h>
#include <torch/csrc/jit/ir/ir.h>

#include <set>
#include <unordered_map>

#include "frontend/libtorch_compat.h"

namespace torchweld::frontend {
namespace {

using torch::jit::AliasDb;
using torch::jit::Module;
using torch::jit::Node;
namespace attr = torch::jit::attr;

/// An attribute of one object of the module.
struct Place {
  Module owner;
  std::string name;
};

/// The object that a chain of GetAttr from `self` reads from; empty when it is another kind of object.
std::optional<Module> owner_of(Node* get, const Module& self) {
  torch::jit::Value* object = get->input();
  if (object == get->owningGraph()->inputs()[0]) return self;
  if (object->node()->kind() != torch::jit::prim::GetAttr) return std::nullopt;
  auto outer = owner_of(object->node(), self);
  if (!outer || !outer->hasattr(object->node()->s(attr::name))) return std::nullopt;
  const c10::IValue held = outer->attr(object->node()->s(attr::name));
  return held.isModule() ? std::optional(held.toModule()) : std::nullopt;
}

void find_written(const Module& self, const std::shared_ptr<torch::jit::Graph>& graph, std::vector<Place>& written) {
  const AliasDb aliases(graph, /*isFrozen=*/true);  // each attribute is then told from the others
  for (Node* get : torch::jit::findAllNodes(*graph, torch::jit::prim::GetAttr, /*recurse=*/true)) {
    if (!aliases.hasWriters(get->output())) continue;
    const std::string& name = get->s(attr::name);
    if (auto owner = owner_of(get, self); owner && owner->hasattr(name) && !owner->attr(name).isModule())
      written.push_back({*owner, name});
  }
}

/// The same view of a copy of its storage.
at::Tensor on_copied_storage(const at::Tensor& tensor, at::Tensor& whole) {
  if (!whole.defined()) {
    whole = at::empty({0}, tensor.options());
    whole.set_(tensor.storage(), 0, {static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.element_size())},
               {1});
    whole = whole.clone();
  }
  at::Tensor copy = at::empty({0}, tensor.options());
  copy.set_(whole.storage(), tensor.storage_offset(), tensor.sizes(), tensor.strides());
  copy.set_requires_grad(tensor.requires_grad());
  return copy;
}

void copy_tensors_on(const void* storage, const Module& module) {
  at::Tensor whole;
  for (Module each : module.modules()) {
    for (std::size_t slot = 0; slot < each.type()->numAttributes(); ++slot) {
      const c10::IValue held = each._ivalue()->getSlot(slot);
      if (!held.isTensor() || !held.toTensor().defined() || !held.toTensor().has_storage()) continue;
      if (held.toTensor().storage().unsafeGetStorageImpl() == storage)
        each._ivalue()->setSlot(slot, on_copied_storage(held.toTensor(), whole));
    }
  }
}

}  // namespace

void copy_written_attributes(Module& module) {
  std::vector<Place> written;
  for (const auto& method : module.get_methods()) find_written(module, graph_of(method.function()), written);
  std::set<const void*> copied;
  for (Place& place : written) {
    const c10::IValue held = place.owner.attr(place.name);
    if (!held.isTensor()) {
      if (copied.insert(held.internalToPointer()).second) place.owner.setattr(place.name, held.deepcopy());
    } else if (held.toTensor().defined() && held.toTensor().has_storage()) {
      const void* storage = held.toTensor().storage().unsafeGetStorageImpl();
      if (copied.count(storage) != 0) continue;
      copy_tensors_on(storage, module);
      copied.insert(place.owner.attr(place.name).toTensor().storage().unsafeGetStorageImpl());
    }
  }
}

}  // namespace torchweld::frontend
