#pragma once

#include <cstddef>
#include <vector>

#include "graph/types.h"

namespace torchweld::testing {

/// Numbers as memory of a dtype, rounded to nearest even, and back.
[[nodiscard]] std::vector<std::byte> bytes_from_numbers(graph::DType dtype, const std::vector<double>& numbers);
[[nodiscard]] std::vector<double> numbers_from_bytes(graph::DType dtype, const std::vector<std::byte>& bytes);

/// Distance from 1 to the next number of a floating dtype; 0 for integers.
[[nodiscard]] double epsilon_of(graph::DType dtype);

}  // namespace torchweld::testing
