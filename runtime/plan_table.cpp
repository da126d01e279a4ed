#include "runtime/plan_table.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/signature.h"

namespace torchweld::runtime {

PlanTable::PlanTable(std::size_t max_plans) : max_plans_(max_plans) {
  const std::lock_guard lock(mutex_);
  publish();
}

const PlanTable::Entry* PlanTable::find_entry(c10::ArrayRef<std::int64_t> words, std::uint64_t hash) const {
  const auto& slots = snapshot_.load(std::memory_order_seq_cst)->slots;
  const auto mask = slots.size() - 1;
  for (auto slot = hash & mask; slots[slot] != nullptr; slot = (slot + 1) & mask)
    if (slots[slot]->hash == hash && words.equals(slots[slot]->words)) return slots[slot];
  return nullptr;
}

const LaunchPlan* PlanTable::find(c10::ArrayRef<std::int64_t> words, std::uint64_t hash) const {
  const auto* entry = find_entry(words, hash);
  if (entry == nullptr) return nullptr;
  // Written only when it changes, so that threads do not pass its cache line around.
  const auto now = clock_.load(std::memory_order_relaxed);
  auto& last_used = entry->plan->last_used;
  if (last_used.load(std::memory_order_relaxed) != now) last_used.store(now, std::memory_order_relaxed);
  return entry->plan.get();
}

std::shared_ptr<const LaunchPlan> PlanTable::find_or_build(c10::ArrayRef<std::int64_t> words, const Build& build) {
  auto key = words.vec();
  std::promise<std::shared_ptr<const LaunchPlan>> promise;
  {
    std::unique_lock lock(mutex_);
    if (const auto* entry = find_entry(key, hash_of(key))) return entry->plan;
    auto& pending = building_[key];
    if (pending.valid()) {
      const auto other = pending;
      lock.unlock();
      return other.get();
    }
    pending = promise.get_future().share();
  }
  std::shared_ptr<const LaunchPlan> plan;
  try {
    plan = build();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    building_.erase(key);
    promise.set_exception(std::current_exception());
    throw;
  }
  promise.set_value(plan);
  insert(std::move(key), plan);
  return plan;
}

std::shared_ptr<const LaunchPlan> PlanTable::find_or_start(c10::ArrayRef<std::int64_t> words,
                                                           const std::function<bool()>& start) {
  auto key = words.vec();
  const std::lock_guard lock(mutex_);
  if (const auto* entry = find_entry(key, hash_of(key))) return entry->plan;
  if (building_.contains(key) || started_.contains(key)) return nullptr;
  if (start()) started_.insert(std::move(key));
  return nullptr;
}

void PlanTable::insert(Words words, std::shared_ptr<const LaunchPlan> plan) {
  const std::lock_guard lock(mutex_);
  building_.erase(words);
  started_.erase(words);
  plan->last_used = ++clock_;
  const auto hash = hash_of(words);
  entries_.push_back(std::make_shared<const Entry>(Entry{std::move(words), hash, std::move(plan)}));
  std::vector<std::shared_ptr<const Entry>> evicted;
  if (entries_.size() > max_plans_) evicted = evict();
  publish();
  for (auto& entry : evicted) epochs_.retire(std::move(entry));
}

std::vector<std::shared_ptr<const PlanTable::Entry>> PlanTable::evict() {
  // Read once: threads that look plans up change the times while they are sorted.
  std::vector<std::pair<std::uint64_t, std::shared_ptr<const Entry>>> by_use;
  for (auto& entry : entries_) {
    const auto last_used = entry->plan->last_used.load(std::memory_order_relaxed);
    by_use.emplace_back(last_used, std::move(entry));
  }
  std::stable_sort(by_use.begin(), by_use.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  entries_.clear();
  std::vector<std::shared_ptr<const Entry>> evicted;
  for (auto& [last_used, entry] : by_use) {
    auto& kept = entries_.size() < max_plans_ - max_plans_ / 8 ? entries_ : evicted;
    kept.push_back(std::move(entry));
  }
  return evicted;
}

void PlanTable::publish() {
  auto next = std::make_shared<Snapshot>();
  next->slots.resize(std::bit_ceil(2 * entries_.size() + 2));
  const auto mask = next->slots.size() - 1;
  for (const auto& entry : entries_) {
    auto slot = entry->hash & mask;
    while (next->slots[slot] != nullptr) slot = (slot + 1) & mask;
    next->slots[slot] = entry.get();
  }
  snapshot_.store(next.get(), std::memory_order_seq_cst);
  auto previous = std::exchange(published_, std::move(next));
  if (previous) epochs_.retire(std::move(previous));
}

std::vector<std::shared_ptr<const LaunchPlan>> PlanTable::plans() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const LaunchPlan>> plans;
  for (const auto& entry : entries_) plans.push_back(entry->plan);
  return plans;
}

void PlanTable::clear() {
  const std::lock_guard lock(mutex_);
  auto evicted = std::exchange(entries_, {});
  publish();
  for (auto& entry : evicted) epochs_.retire(std::move(entry));
}

}  // namespace torchweld::runtime
