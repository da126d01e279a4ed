#pragma once

#include <string>

namespace torchweld::testing {

/// Compiles C++ with undefined-behaviour checks to a shared object that stays loaded; for dlsym. Throws
/// std::runtime_error with the compiler's message.
[[nodiscard]] void* compile_host(const std::string& text);

}  // namespace torchweld::testing
