#pragma once

#include <string_view>
#include <vector>

namespace torchweld::codegen {

/// Text of a file of codegen/prelude/, embedded when the library is built. `name` has no folder ("pack.cuh").
/// Throws std::out_of_range for a name that is not embedded.
std::string_view embedded_file(std::string_view name);

/// Names that embedded_file() knows, sorted.
std::vector<std::string_view> embedded_file_names();

}  // namespace torchweld::codegen
