#include "runtime/kernel_store.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <set>
#include <utility>

#include "runtime/host_compiler.h"
#include "runtime/nvrtc.h"

namespace torchweld::runtime {

struct KernelStore::Job {
  KernelKey key;
  const KernelSource* source = nullptr;
  std::promise<std::shared_ptr<const LoadedKernel>> promise;
  Origin origin = Origin::compiled;
  bool done = false;

  void fail(std::exception_ptr failure) {
    promise.set_exception(std::move(failure));
    done = true;
  }
};

namespace {

bool is_ready(const auto& pending) { return pending.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

std::shared_ptr<const LoadedKernel> load(const KernelSource& source, const CompiledKernel& compiled) {
  return source.backend == codegen::Backend::cuda ? load_cuda(compiled) : load_host(compiled);
}

/// Splits the host's jobs so that no two of one batch have the same name: a batch becomes one shared object.
template <class Job>
std::vector<std::vector<Job*>> batches_of(std::vector<Job>& jobs) {
  std::vector<std::vector<Job*>> batches;
  std::vector<std::set<std::string>> names;
  for (auto& job : jobs) {
    if (job.done || job.source->backend != codegen::Backend::host) continue;
    std::size_t batch = 0;
    while (batch < names.size() && names[batch].contains(job.source->name)) ++batch;
    if (batch == names.size()) {
      names.emplace_back();
      batches.emplace_back();
    }
    names[batch].insert(job.source->name);
    batches[batch].push_back(&job);
  }
  return batches;
}

}  // namespace

std::vector<StoredKernel> KernelStore::get(std::span<const KernelSource> sources, const std::string& folder,
                                           bool compile) {
  std::vector<Pending> pending;
  std::vector<Job> jobs;
  std::vector<int> job_of(sources.size(), -1);
  std::size_t num_kernels = 0;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const auto key = key_of(sources[i]);
      auto& entry = kernels_[key];
      if (!entry.valid()) {
        job_of[i] = static_cast<int>(jobs.size());
        jobs.push_back({key, &sources[i], {}});
        entry = jobs.back().promise.get_future().share();
      }
      pending.push_back(entry);
    }
    num_kernels = kernels_.size();
  }
  if (num_kernels > kMaxKernels) drop_unused();
  if (!jobs.empty()) provide(jobs, disk(folder), compile);
  std::vector<StoredKernel> kernels;
  for (std::size_t i = 0; i < sources.size(); ++i)
    kernels.push_back(
        {pending[i].get(), job_of[i] < 0 ? Origin::memory : jobs[static_cast<std::size_t>(job_of[i])].origin});
  return kernels;
}

DiskCache& KernelStore::disk(const std::string& folder) {
  const auto path = cache_folder(folder);
  const std::lock_guard lock(mutex_);
  auto& cache = disks_[path];
  if (!cache) cache = std::make_unique<DiskCache>(path, warn_);
  return *cache;
}

void KernelStore::provide(std::vector<Job>& jobs, DiskCache& disk, bool compile) {
  for (auto& job : jobs) {
    const auto stored = disk.read(job.key);
    if (stored) finish(job, *stored, Origin::disk);
    if (job.done || compile) continue;
    job.fail(std::make_exception_ptr(
        CompileFailure(FallbackReason::cached_only_miss, job.source->name + ": no cache holds it")));
  }
  compile_host(jobs, disk);
  compile_cuda(jobs, disk);
  // A failure is the affair of those who asked for it now; whoever asks later tries again.
  const std::lock_guard lock(mutex_);
  for (const auto& job : jobs)
    if (const auto entry = kernels_.find(job.key); entry != kernels_.end()) {
      try {
        entry->second.get();
      } catch (const std::exception&) {
        kernels_.erase(entry);
      }
    }
}

void KernelStore::compile_cuda(std::vector<Job>& jobs, DiskCache& disk) {
  std::vector<Job*> left;
  for (auto& job : jobs)
    if (!job.done && job.source->backend == codegen::Backend::cuda) left.push_back(&job);
  pool_.run_all(left.size(), [&](std::size_t i) {
    try {
      const auto compiled = compile_cubin(*left[i]->source);
      ++num_compiled_;
      disk.write(left[i]->key, compiled);
      finish(*left[i], compiled, Origin::compiled);
    } catch (...) {
      left[i]->fail(std::current_exception());
    }
  });
}

void KernelStore::compile_host(std::vector<Job>& jobs, DiskCache& disk) {
  for (const auto& batch : batches_of(jobs)) {
    std::vector<KernelSource> sources;
    for (const auto* job : batch) sources.push_back(*job->source);
    try {
      const auto compiled = compile_shared_object(sources);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        ++num_compiled_;
        disk.write(batch[i]->key, compiled[i]);
        finish(*batch[i], compiled[i], Origin::compiled);
      }
    } catch (...) {
      for (auto* job : batch)
        if (!job->done) job->fail(std::current_exception());
    }
  }
}

void KernelStore::finish(Job& job, const CompiledKernel& compiled, Origin origin) {
  try {
    job.promise.set_value(load(*job.source, compiled));
    job.origin = origin;
    job.done = true;
  } catch (const CompileFailure&) {
    // One from the disk may be of another machine: then it is compiled here.
    if (origin == Origin::compiled) throw;
  }
}

void KernelStore::drop_unused() {
  const std::lock_guard lock(mutex_);
  std::erase_if(kernels_,
                [](const auto& entry) { return is_ready(entry.second) && entry.second.get().use_count() == 1; });
}

}  // namespace torchweld::runtime
