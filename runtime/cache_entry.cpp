#include "runtime/cache_entry.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstring>

namespace torchweld::runtime {
namespace {

/// Grows by one whenever the header or what follows it changes.
constexpr std::uint32_t kEntryVersion = 1;

struct Header {
  char magic[8] = {'t', 'w', 'k', 'e', 'r', 'n', 'e', 'l'};
  std::uint32_t version = kEntryVersion;
  std::uint32_t name_bytes = 0;
  std::uint64_t binary_bytes = 0;
  KernelKey key;
  std::uint64_t checksum = 0;  ///< of name and binary
  double compile_ms = 0;
  std::int32_t registers = 0;
  std::int32_t shared_bytes = 0;
  std::int32_t spill_bytes = 0;
  std::int32_t unused = 0;
};
static_assert(sizeof(Header) == 72, "the header has no padding");

}  // namespace

std::string bytes_of_entry(const KernelKey& key, const CompiledKernel& kernel) {
  const auto content = kernel.name + kernel.binary;
  Header header;
  header.name_bytes = static_cast<std::uint32_t>(kernel.name.size());
  header.binary_bytes = kernel.binary.size();
  header.key = key;
  header.checksum = XXH3_64bits(content.data(), content.size());
  header.compile_ms = kernel.compile_ms;
  header.registers = kernel.resources.registers;
  header.shared_bytes = kernel.resources.shared_bytes;
  header.spill_bytes = kernel.resources.spill_bytes;
  std::string bytes(sizeof header, '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes + content;
}

std::optional<CompiledKernel> head_from_bytes(std::string_view bytes) {
  Header header;
  const Header expected;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  const bool known = std::memcmp(header.magic, expected.magic, sizeof header.magic) == 0 &&
                     header.version == kEntryVersion && header.name_bytes <= bytes.size() - sizeof header;
  if (!known) return std::nullopt;
  CompiledKernel kernel;
  kernel.name = bytes.substr(sizeof header, header.name_bytes);
  kernel.resources = {header.registers, header.shared_bytes, header.spill_bytes};
  kernel.compile_ms = header.compile_ms;
  return kernel;
}

std::variant<CompiledKernel, Malformed> entry_from_bytes(const KernelKey& key, std::string_view bytes) {
  Header header;
  const Header expected;
  if (bytes.size() < sizeof header) return Malformed{fmt::format("it has {} bytes, fewer than a header", bytes.size())};
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0) return Malformed{"it is no cache entry"};
  if (header.version != kEntryVersion)
    return Malformed{fmt::format("its version is {}, expected {}", header.version, kEntryVersion)};
  if (header.key != key) return Malformed{"it holds the kernel of another key"};
  const auto content = bytes.substr(sizeof header);
  if (header.name_bytes > content.size() || content.size() - header.name_bytes != header.binary_bytes)
    return Malformed{
        fmt::format("it has {} bytes, expected {}", content.size(), header.name_bytes + header.binary_bytes)};
  if (XXH3_64bits(content.data(), content.size()) != header.checksum) return Malformed{"its checksum does not match"};
  CompiledKernel kernel;
  kernel.name = content.substr(0, header.name_bytes);
  kernel.binary = content.substr(header.name_bytes);
  kernel.resources = {header.registers, header.shared_bytes, header.spill_bytes};
  kernel.compile_ms = header.compile_ms;
  return kernel;
}

}  // namespace torchweld::runtime
