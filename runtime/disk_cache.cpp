#include "runtime/disk_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "runtime/cache_entry.h"

namespace torchweld::runtime {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Writes all bytes; false with errno set otherwise.
bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Writes a file beside `path` and renames it to `path`; what failed, or nothing.
std::string replace_file(const fs::path& path, std::string_view bytes) {
  auto temporary = path.string() + ".XXXXXX";
  const int file = mkstemp(temporary.data());
  if (file < 0) return std::strerror(errno);
  bool whole = write_all(file, bytes);
  const int error = errno;
  whole = ::close(file) == 0 && whole;
  if (whole && std::rename(temporary.c_str(), path.c_str()) == 0) return {};
  const std::string reason = std::strerror(whole ? errno : error);
  unlink(temporary.c_str());
  return reason;
}

}  // namespace

fs::path cache_folder(const std::string& chosen) {
  if (!chosen.empty()) return chosen;
  if (auto folder = variable("TORCHWELD_CACHE_DIR"); !folder.empty()) return folder;
  if (auto caches = variable("XDG_CACHE_HOME"); !caches.empty()) return fs::path(caches) / "torchweld" / "kernels";
  return fs::path(variable("HOME")) / ".cache" / "torchweld" / "kernels";
}

DiskCache::DiskCache(fs::path folder, Warn warn) : folder_(std::move(folder)), warn_(std::move(warn)) {}

fs::path DiskCache::path_of(const KernelKey& key) const { return folder_ / (text_of(key) + ".kernel"); }

void DiskCache::give_up(const std::string& reason) {
  if (writable_.exchange(false))
    warn_(fmt::format("kernel cache {}: cannot be written: {}; kernels are compiled again in every process (set "
                      "TORCHWELD_CACHE_DIR to a folder that can be written)",
                      folder_.string(), reason));
}

std::optional<CompiledKernel> DiskCache::read(const KernelKey& key) {
  const auto path = path_of(key);
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  auto entry = entry_from_bytes(key, bytes);
  if (auto* kernel = std::get_if<CompiledKernel>(&entry)) return std::move(*kernel);
  warn_(fmt::format("kernel cache {}: {}; the entry is dropped and its kernel compiled again", path.string(),
                    std::get<Malformed>(entry).reason));
  std::error_code ignored;
  fs::remove(path, ignored);
  return std::nullopt;
}

void DiskCache::write(const KernelKey& key, const CompiledKernel& kernel) {
  if (!writable_) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return give_up(error.message());
  if (auto reason = replace_file(path_of(key), bytes_of_entry(key, kernel)); !reason.empty()) give_up(reason);
}

}  // namespace torchweld::runtime
