#pragma once

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "runtime/compile_pool.h"
#include "runtime/disk_cache.h"
#include "runtime/loaded_kernel.h"

namespace torchweld::runtime {

/// A kernel of a plan, and where it came from.
struct StoredKernel {
  std::shared_ptr<const LoadedKernel> kernel;
  Origin origin = Origin::memory;
};

/// The kernels of this process: in memory, then on disk, then compiled; each text is compiled once, by one thread,
/// while others wait for it.
class KernelStore {
public:
  /// Kernels that no plan uses are dropped beyond this many.
  static constexpr std::size_t kMaxKernels = 4096;

  KernelStore(CompilePool& pool, DiskCache::Warn warn) : pool_(pool), warn_(std::move(warn)) {}

  /// One kernel per source, in order. `folder` is the disk cache's. With `compile` false a kernel that no cache holds
  /// is a failure with reason cached_only_miss. Throws CompileFailure; what was compiled stays.
  [[nodiscard]] std::vector<StoredKernel> get(std::span<const KernelSource> sources, const std::string& folder,
                                              bool compile);

  /// How many kernels were compiled since the process began.
  [[nodiscard]] std::size_t num_compiled() const { return num_compiled_; }
  /// Drops every kernel in memory that no plan uses.
  void drop_unused();

private:
  using Pending = std::shared_future<std::shared_ptr<const LoadedKernel>>;
  struct Job;  // a kernel that this thread is to provide

  [[nodiscard]] DiskCache& disk(const std::string& folder);
  void provide(std::vector<Job>& jobs, DiskCache& disk, bool compile);
  void compile_cuda(std::vector<Job>& jobs, DiskCache& disk);
  void compile_host(std::vector<Job>& jobs, DiskCache& disk);
  void finish(Job& job, const CompiledKernel& compiled, Origin origin);

  CompilePool& pool_;
  DiskCache::Warn warn_;
  std::mutex mutex_;
  std::map<KernelKey, Pending> kernels_;
  std::map<std::string, std::unique_ptr<DiskCache>> disks_;
  std::atomic<std::size_t> num_compiled_ = 0;
};

}  // namespace torchweld::runtime
