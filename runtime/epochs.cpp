#include "runtime/epochs.h"

#include <algorithm>
#include <limits>

namespace torchweld::runtime {

/// A thread's slot in one Epochs; the thread gives it back when it ends.
struct Epochs::Registration {
  std::uint64_t owner = 0;
  std::shared_ptr<Slot> slot;
};

std::uint64_t Epochs::next_id() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

Epochs::Slot& Epochs::slot_of_this_thread() {
  // One process has one Epochs outside of tests, so remembering the last one suffices. A slot whose thread has ended is
  // held by slots_ alone, and is handed to the next thread.
  static thread_local Registration held;
  if (held.owner != id_) {
    const std::lock_guard lock(mutex_);
    const auto free =
        std::find_if(slots_.begin(), slots_.end(), [](const auto& slot) { return slot.use_count() == 1; });
    held = {id_, free != slots_.end() ? *free : slots_.emplace_back(std::make_shared<Slot>())};
  }
  return *held.slot;
}

Epochs::Reading::Reading(Epochs& epochs) : entered_(&epochs.slot_of_this_thread().entered) {
  if (entered_->load(std::memory_order_relaxed) != kIdle) {
    entered_ = nullptr;
    return;
  }
  // Sequentially consistent: what this thread reads next was not retired before the store was seen.
  entered_->store(epochs.epoch_.load(std::memory_order_acquire), std::memory_order_seq_cst);
}

Epochs::Reading::~Reading() {
  if (entered_ != nullptr) entered_->store(kIdle, std::memory_order_release);
}

std::uint64_t Epochs::oldest_reader() {
  auto oldest = std::numeric_limits<std::uint64_t>::max();
  for (const auto& slot : slots_)
    if (const auto entered = slot->entered.load(std::memory_order_seq_cst); entered != kIdle)
      oldest = std::min(oldest, entered);
  return oldest;
}

void Epochs::retire(std::shared_ptr<const void> unreachable) {
  {
    const std::lock_guard lock(mutex_);
    retired_.emplace_back(epoch_.fetch_add(1, std::memory_order_seq_cst), std::move(unreachable));
  }
  collect();
}

void Epochs::collect() {
  std::vector<std::shared_ptr<const void>> freed;  // freed after the lock is released
  const std::lock_guard lock(mutex_);
  const auto oldest = oldest_reader();
  // Who entered in the epoch of the retirement or before it may still hold the object.
  for (auto& [epoch, object] : retired_)
    if (epoch < oldest) freed.push_back(std::move(object));
  std::erase_if(retired_, [](const auto& entry) { return entry.second == nullptr; });
}

}  // namespace torchweld::runtime
