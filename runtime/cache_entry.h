#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "runtime/compiled_kernel.h"
#include "runtime/kernel_key.h"

namespace torchweld::runtime {

/// The bytes of a file of the disk cache: a header (magic, version, key, sizes, checksum), the kernel's name and its
/// binary.
[[nodiscard]] std::string bytes_of_entry(const KernelKey& key, const CompiledKernel& kernel);

/// How many bytes head_from_bytes needs at most.
inline constexpr std::size_t kHeadBytes = 512;
/// What an entry tells of its kernel in its first bytes; all but the binary. Nothing when they are no entry's.
[[nodiscard]] std::optional<CompiledKernel> head_from_bytes(std::string_view bytes);

/// What is wrong with an entry.
struct Malformed {
  std::string reason;
};
/// The inverse.
[[nodiscard]] std::variant<CompiledKernel, Malformed> entry_from_bytes(const KernelKey& key, std::string_view bytes);

}  // namespace torchweld::runtime
