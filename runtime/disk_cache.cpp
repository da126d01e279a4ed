#include "runtime/disk_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "runtime/cache_entry.h"
#include "runtime/files.h"

namespace torchweld::runtime {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

std::string cache_folder(const std::string& chosen) {
  if (!chosen.empty()) return chosen;
  if (auto folder = variable("TORCHWELD_CACHE_DIR"); !folder.empty()) return folder;
  if (auto caches = variable("XDG_CACHE_HOME"); !caches.empty()) return caches + "/torchweld/kernels";
  return variable("HOME") + "/.cache/torchweld/kernels";
}

DiskCache::DiskCache(std::string folder, Warn warn) : folder_(std::move(folder)), warn_(std::move(warn)) {}

std::string DiskCache::path_of(const KernelKey& key) const { return folder_ + "/" + text_of(key) + ".kernel"; }

void DiskCache::give_up(const std::string& reason) {
  if (writable_.exchange(false))
    warn_(fmt::format("kernel cache {}: cannot be written: {}; kernels are compiled again in every process (set "
                      "TORCHWELD_CACHE_DIR to a folder that can be written)",
                      folder_, reason));
}

std::optional<CompiledKernel> DiskCache::read(const KernelKey& key) {
  const auto path = path_of(key);
  const auto bytes = read_file(path);
  if (bytes.empty() && access(path.c_str(), F_OK) != 0) return std::nullopt;
  auto entry = entry_from_bytes(key, bytes);
  if (auto* kernel = std::get_if<CompiledKernel>(&entry)) return std::move(*kernel);
  warn_(fmt::format("kernel cache {}: {}; the entry is dropped and its kernel compiled again", path,
                    std::get<Malformed>(entry).reason));
  unlink(path.c_str());
  return std::nullopt;
}

void DiskCache::write(const KernelKey& key, const CompiledKernel& kernel) {
  if (!writable_) return;
  if (auto reason = make_folders(folder_); !reason.empty()) return give_up(reason);
  if (auto reason = replace_file(path_of(key), bytes_of_entry(key, kernel)); !reason.empty()) give_up(reason);
}

}  // namespace torchweld::runtime
