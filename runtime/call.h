#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstddef>

#include "runtime/region.h"

namespace torchweld::runtime {

/// The arguments of one call, as they lie on the interpreter's stack. Refers to them; owns nothing.
struct Call {
  const Region& region;
  c10::ArrayRef<c10::IValue> written;  ///< empty for torchweld::execute
  c10::ArrayRef<c10::IValue> inputs;   ///< tensors, or None
  c10::ArrayRef<c10::IValue> scalars;  ///< ints and floats

  [[nodiscard]] std::size_t num_tensors() const { return written.size() + inputs.size(); }
  /// Tensor `i` of the region's inputs, or null for None.
  [[nodiscard]] c10::TensorImpl* tensor(std::size_t i) const {
    const c10::IValue& held = value(i);
    return held.isTensor() && held.toTensor().defined() ? held.toTensor().unsafeGetTensorImpl() : nullptr;
  }
  /// The same as a tensor, which must be one.
  [[nodiscard]] const at::Tensor& tensor_value(std::size_t i) const { return value(i).toTensor(); }

private:
  [[nodiscard]] const c10::IValue& value(std::size_t i) const {
    return i < written.size() ? written[i] : inputs[i - written.size()];
  }
};

/// Throws Error unless the call passes as many tensors and numbers as the region takes.
void check_arguments(const Call& call);

/// Runs the region's original nodes on the call's arguments.
[[nodiscard]] c10::List<at::Tensor> run_original(const Call& call);

}  // namespace torchweld::runtime
