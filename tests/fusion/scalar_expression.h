#pragma once

#include <string_view>
#include <vector>

#include "graph/op.h"

namespace torchweld::testing {

/// The value of an op's expression for `inputs`, in double arithmetic whatever the dtype.
[[nodiscard]] double evaluate(std::string_view expression, const std::vector<double>& inputs);

/// `value` as `dtype` holds it, without rounding of floats: integers truncate, bool is 0 or 1.
[[nodiscard]] double converted(double value, graph::DType dtype);

/// Reduces elements in order.
[[nodiscard]] double reduced(graph::ReductionKind kind, const std::vector<double>& elements);

}  // namespace torchweld::testing
