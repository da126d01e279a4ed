#pragma once

#include "fusion/interpret_group.h"

namespace torchweld::testing {

/// The elements of each value in row-major order of its sizes, computed node by node as the ops say. Inputs come from
/// `memory`.
[[nodiscard]] std::map<graph::Value, std::vector<double>> interpret(const graph::Graph& primitive,
                                                                    const Memory& memory);

/// The elements of a buffer in row-major order of the type's sizes.
[[nodiscard]] std::vector<double> elements_of(const graph::TensorType& type, const std::vector<double>& buffer);

}  // namespace torchweld::testing
