#include "frontend/detach_weights.h"

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>

#include <unordered_map>

namespace torchweld::frontend {

void detach_weights(const torch::jit::Module& module) {
  if (module.is_training()) return;
  std::unordered_map<const c10::TensorImpl*, at::Tensor> detached;  // tied weights stay one tensor
  for (const auto& each : module.modules()) {
    const auto object = each._ivalue();
    for (std::size_t slot = 0; slot < object->slots().size(); ++slot) {
      const c10::IValue& held = object->getSlot(slot);
      if (!held.isTensor() || !held.toTensor().defined() || !held.toTensor().requires_grad()) continue;
      at::Tensor& alias = detached[held.unsafeToTensorImpl()];
      if (!alias.defined()) alias = held.toTensor().detach();
      object->setSlot(slot, alias);
    }
  }
}

}  // namespace torchweld::frontend
