#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "runtime/compiled_kernel.h"

namespace torchweld::runtime {

/// A file of the disk cache.
struct CacheFile {
  std::string path;
  std::uint64_t bytes = 0;
  std::time_t written = 0;
  std::optional<CompiledKernel> kernel;  ///< without its binary; empty for a file that is damaged or half written
};

/// The files in `folder` that the cache wrote, newest first; whatever else lies there is left out.
[[nodiscard]] std::vector<CacheFile> cache_files(const std::string& folder);

/// Removes a file. What kept it from that; empty when the file is gone. A file that another process removed
/// first is gone too.
[[nodiscard]] std::string remove_cache_file(const CacheFile& file);

}  // namespace torchweld::runtime
