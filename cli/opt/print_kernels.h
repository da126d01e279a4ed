#pragma once

#include <string>
#include <string_view>

namespace torchweld {

/// Kernels for each graph of `text` (graphs follow one another), with all that a caller needs to run them, as JSON: a
/// list with one object a graph. What the objects hold is told in print_kernels.cpp.
[[nodiscard]] std::string kernels_as_json(std::string_view text, std::string_view backend);

}  // namespace torchweld
