#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace torchweld::runtime {

/// Lets threads read a shared structure without a lock while others replace parts of it: what was taken out is freed
/// only once no thread that might have seen it is still reading.
class Epochs {
public:
  /// While it lives, the calling thread may read. May be nested.
  class Reading {
  public:
    explicit Reading(Epochs& epochs);
    ~Reading();
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

  private:
    std::atomic<std::uint64_t>* entered_;  ///< null when nested
  };

  /// Takes what readers can no longer reach, and frees it as soon as none can hold it. Not called while reading.
  void retire(std::shared_ptr<const void> unreachable);
  /// Frees what was retired, as far as readers allow.
  void collect();

private:
  static constexpr std::uint64_t kIdle = 0;

  /// One a thread: the epoch in which it began to read, or kIdle. On a cache line of its own.
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> entered = kIdle;
  };
  struct Registration;
  Slot& slot_of_this_thread();
  [[nodiscard]] std::uint64_t oldest_reader();

  [[nodiscard]] static std::uint64_t next_id();

  const std::uint64_t id_ = next_id();  ///< unlike its address, of no other before or after it
  std::atomic<std::uint64_t> epoch_ = 1;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Slot>> slots_;
  std::vector<std::pair<std::uint64_t, std::shared_ptr<const void>>> retired_;
};

}  // namespace torchweld::runtime
