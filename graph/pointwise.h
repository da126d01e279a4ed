#pragma once

#include "graph/arguments.h"

namespace torchweld::graph {

/// The dtype that the operands of a pointwise op meet in (before any rounding rule): ATen's promotion. Refuses the
/// dtypes that eager has no kernel for.
[[nodiscard]] DType common_dtype(const Arguments& arguments);

/// The result of a pointwise op: dtype, broadcast sizes, strides as eager gives them, device.
[[nodiscard]] TensorType infer_pointwise(const Arguments& arguments);

}  // namespace torchweld::graph
