#pragma once

#include <c10/util/ArrayRef.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "runtime/epochs.h"
#include "runtime/launch_plan.h"

namespace torchweld::runtime {

/// The plans of this process by signature. Looked up without a lock in a snapshot that is replaced as a whole; bounded;
/// each plan is built by one thread while others wait for it.
class PlanTable {
public:
  /// About 20 kB a plan with its program and texts. Beyond it, the eighth that was unused for longest goes.
  static constexpr std::size_t kMaxPlans = 4096;

  explicit PlanTable(std::size_t max_plans = kMaxPlans);

  /// The plan of a signature, or null. Valid while the caller's Epochs::Reading lives.
  [[nodiscard]] const LaunchPlan* find(c10::ArrayRef<std::int64_t> words, std::uint64_t hash) const;
  [[nodiscard]] Epochs& epochs() { return epochs_; }

  using Build = std::function<std::shared_ptr<const LaunchPlan>()>;
  /// The plan of a signature, built by this thread if nobody has built it or is building it.
  [[nodiscard]] std::shared_ptr<const LaunchPlan> find_or_build(c10::ArrayRef<std::int64_t> words, const Build& build);
  /// The plan of a signature if it is there; else null, and `start` is called if nobody is building it: it must see to
  /// it that find_or_build is called some time, or return false.
  [[nodiscard]] std::shared_ptr<const LaunchPlan> find_or_start(c10::ArrayRef<std::int64_t> words,
                                                                const std::function<bool()>& start);

  /// Every plan at this moment.
  [[nodiscard]] std::vector<std::shared_ptr<const LaunchPlan>> plans() const;
  /// Drops all plans.
  void clear();

private:
  using Words = std::vector<std::int64_t>;
  struct Entry {
    Words words;
    std::uint64_t hash = 0;
    std::shared_ptr<const LaunchPlan> plan;
  };
  /// Open addressing, at most half full.
  struct Snapshot {
    std::vector<const Entry*> slots;
  };

  [[nodiscard]] const Entry* find_entry(c10::ArrayRef<std::int64_t> words, std::uint64_t hash) const;
  void insert(Words words, std::shared_ptr<const LaunchPlan> plan);
  [[nodiscard]] std::vector<std::shared_ptr<const Entry>> evict();
  void publish();

  std::size_t max_plans_;
  Epochs epochs_;
  std::atomic<const Snapshot*> snapshot_;
  std::atomic<std::uint64_t> clock_ = 0;  ///< insertions so far

  mutable std::mutex mutex_;
  std::shared_ptr<const Snapshot> published_;
  std::vector<std::shared_ptr<const Entry>> entries_;
  std::map<Words, std::shared_future<std::shared_ptr<const LaunchPlan>>> building_;
  std::set<Words> started_;
};

}  // namespace torchweld::runtime
