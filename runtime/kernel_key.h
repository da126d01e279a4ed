#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "runtime/compiled_kernel.h"

namespace torchweld::runtime {

/// A hash of all that a compiled kernel depends on: prelude, text, options, target.
struct KernelKey {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const KernelKey&) const = default;
};
[[nodiscard]] KernelKey key_of(const KernelSource& source);
/// 32 hexadecimal digits.
[[nodiscard]] std::string text_of(const KernelKey& key);

}  // namespace torchweld::runtime
