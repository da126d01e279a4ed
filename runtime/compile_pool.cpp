#include "runtime/compile_pool.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace torchweld::runtime {

CompilePool::CompilePool(std::size_t max_threads)
    : max_threads_(std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, max_threads)) {}

bool CompilePool::submit(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return false;
  tasks_.push_back(std::move(task));
  if (idle_ < tasks_.size() && threads_.size() < max_threads_) threads_.emplace_back([this] { work(); });
  wake_.notify_one();
  return true;
}

void CompilePool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    wake_.wait(lock, [this] { return stopped_ || !tasks_.empty(); });
    --idle_;
    if (stopped_) return;
    auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

void CompilePool::run_all(std::size_t count, const std::function<void(std::size_t)>& task) {
  struct Shared {
    std::mutex mutex;
    std::condition_variable done;
    std::size_t next = 0;
    std::size_t finished = 0;
  };
  const auto shared = std::make_shared<Shared>();
  // A helper that comes late finds nothing left and does not touch `task`, which may be gone by then.
  const auto take = [shared, count, &task] {
    std::unique_lock lock(shared->mutex);
    while (shared->next < count) {
      const auto index = shared->next++;
      lock.unlock();
      task(index);
      lock.lock();
      if (++shared->finished == count) shared->done.notify_all();
    }
  };
  for (std::size_t i = 1; i < std::min(count, max_threads_); ++i) submit(take);
  take();
  std::unique_lock lock(shared->mutex);
  shared->done.wait(lock, [&] { return shared->finished == count; });
}

void CompilePool::stop() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    tasks_.clear();
    threads.swap(threads_);
  }
  wake_.notify_all();
  for (auto& thread : threads) thread.join();
}

}  // namespace torchweld::runtime
