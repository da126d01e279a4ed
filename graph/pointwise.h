#pragma once

#include "graph/arguments.h"

namespace torchweld::graph {

/// The dtype that the operands of a pointwise op meet in (before any rounding rule): ATen's promotion. Refuses the
/// dtypes that eager has no kernel for.
[[nodiscard]] DType common_dtype(const Arguments& arguments);

/// The result of a pointwise op: dtype, broadcast sizes, strides as eager gives them, device.
[[nodiscard]] TensorType infer_pointwise(const Arguments& arguments);

/// A result of `dtype` over what `tensors` broadcast to. `among_numbers`: a number takes part as a 0-dim tensor.
[[nodiscard]] TensorType pointwise_result(const Arguments& arguments, DType dtype,
                                          std::span<const TensorType* const> tensors, bool among_numbers);

}  // namespace torchweld::graph
