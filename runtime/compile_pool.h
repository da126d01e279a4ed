#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace torchweld::runtime {

/// Threads that plan and compile. They start at the first task and end when the pool is stopped.
class CompilePool {
public:
  /// Compilers use about 100 MB each, and more of them at once gain little.
  static constexpr std::size_t kMaxThreads = 8;

  explicit CompilePool(std::size_t max_threads = kMaxThreads);
  ~CompilePool() { stop(); }
  CompilePool(const CompilePool&) = delete;
  CompilePool& operator=(const CompilePool&) = delete;

  /// Runs `task` on a thread of the pool, some time. It must not throw. False after stop().
  bool submit(std::function<void()> task);
  /// Runs task(0) ... task(count - 1), on this thread and on those of the pool that are free, and waits for all. Safe
  /// to call from a task: this thread alone gets the work done. `task` must not throw.
  void run_all(std::size_t count, const std::function<void(std::size_t)>& task);
  /// Ends the threads after their present tasks; those that wait are dropped. Called as the process ends.
  void stop();

private:
  void work();

  std::size_t max_threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool stopped_ = false;
};

}  // namespace torchweld::runtime
