#pragma once

#include "codegen/text.h"

namespace torchweld::codegen {

/// Both conditions, either of which may be empty.
[[nodiscard]] inline std::string both(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : join(a, " && ", b);
}

/// The beginning of a statement that runs under a condition; nothing where it is empty.
[[nodiscard]] inline std::string if_any(const std::string& condition) {
  return condition.empty() ? std::string() : join("if (", condition, ") ");
}

}  // namespace torchweld::codegen
