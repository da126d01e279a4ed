#pragma once

#include <optional>

#include "graph/types.h"

namespace torchweld::graph {

/// c10::promoteTypes: the smallest dtype that both convert to.
[[nodiscard]] DType promote(DType a, DType b);

/// at::result_type, one operand at a time: dimensioned tensors before 0-dim tensors before numbers, a lower class only
/// counting when its category (bool, integer, float) is higher.
class ResultDType {
public:
  explicit ResultDType(DType default_dtype) : default_dtype_(default_dtype) {}

  void add(const TensorType& type);
  void add_number(DType dtype);
  /// Empty when nothing was added.
  [[nodiscard]] std::optional<DType> get() const;

private:
  DType default_dtype_;
  std::optional<DType> dimensioned_;
  std::optional<DType> zero_dim_;
  std::optional<DType> number_;
};

/// 0 for bool, 1 for integers, 2 for floats.
[[nodiscard]] int category_of(DType dtype);

}  // namespace torchweld::graph
