#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "runtime/compiled_kernel.h"
#include "runtime/kernel_key.h"

namespace torchweld::runtime {

/// $TORCHWELD_CACHE_DIR, else ${XDG_CACHE_HOME:-~/.cache}/torchweld/kernels; `chosen` where it is not empty.
[[nodiscard]] std::string cache_folder(const std::string& chosen);

/// Compiled kernels in a folder, one file each, named by its key. Any number of processes may share it: a file appears
/// whole, by renaming, or not at all. Nothing here throws: a folder that cannot be used is reported once to `warn` and
/// then left alone, a malformed file is reported and removed.
class DiskCache {
public:
  using Warn = std::function<void(const std::string& message)>;
  DiskCache(std::string folder, Warn warn);

  [[nodiscard]] std::optional<CompiledKernel> read(const KernelKey& key);
  void write(const KernelKey& key, const CompiledKernel& kernel);

  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] std::string path_of(const KernelKey& key) const;

private:
  void give_up(const std::string& reason);

  std::string folder_;
  Warn warn_;
  std::atomic<bool> writable_ = true;
};

}  // namespace torchweld::runtime
