#include "runtime/cache_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "runtime/cache_entry.h"
#include "runtime/files.h"

namespace torchweld::runtime {
namespace {

/// A file without its final name is being written by some process, or was left by one that ended; none takes this long.
constexpr std::time_t kSecondsToWrite = 3600;

constexpr std::size_t kKeyDigits = 32;
constexpr std::string_view kExtension = ".kernel";

enum class Kind { entry, unfinished, other };

/// DiskCache::path_of gives entries their names, replace_file those that are being written.
Kind kind_of(std::string_view name) {
  const bool ours = name.substr(0, kKeyDigits).find_first_not_of("0123456789abcdef") == std::string_view::npos &&
                    name.size() >= kKeyDigits && name.substr(kKeyDigits).starts_with(kExtension);
  if (!ours) return Kind::other;
  const auto rest = name.substr(kKeyDigits + kExtension.size());
  if (rest.empty()) return Kind::entry;
  return rest.size() == std::string_view(".XXXXXX").size() && rest.front() == '.' ? Kind::unfinished : Kind::other;
}

std::string first_bytes(const std::string& path) {
  std::string bytes(kHeadBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

}  // namespace

std::vector<CacheFile> cache_files(const std::string& folder) {
  std::vector<CacheFile> files;
  const std::time_t now = std::time(nullptr);
  for (const auto& name : names_in_folder(folder)) {
    const Kind kind = kind_of(name);
    CacheFile file{.path = fmt::format("{}/{}", folder, name), .kernel = std::nullopt};
    struct stat status {};
    if (kind == Kind::other || stat(file.path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    file.bytes = static_cast<std::uint64_t>(status.st_size);
    file.written = status.st_mtime;
    if (kind == Kind::unfinished && now - file.written < kSecondsToWrite) continue;
    if (kind == Kind::entry) file.kernel = head_from_bytes(first_bytes(file.path));
    files.push_back(std::move(file));
  }
  std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.written > b.written; });
  return files;
}

std::string remove_cache_file(const CacheFile& file) {
  return unlink(file.path.c_str()) == 0 || errno == ENOENT ? std::string{} : std::strerror(errno);
}

}  // namespace torchweld::runtime
