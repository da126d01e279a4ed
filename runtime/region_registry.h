#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "torchweld/options.h"

namespace torchweld::runtime {

class Region;

/// The regions that are alive, for reports, and the keys that tell their plans apart.
class RegionRegistry {
public:
  void add(const Region* region);
  void remove(const Region* region);
  /// Calls `visit` for each region that is alive; none of them dies meanwhile.
  template <class Visit>
  void for_each(Visit visit) {
    const std::lock_guard lock(mutex_);
    for (const auto* region : alive_) visit(*region);
  }

  /// Equal for equal text and for equal options as far as they reach plans.
  [[nodiscard]] std::int64_t plan_key(const std::string& text, const Options& options);

private:
  std::mutex mutex_;
  std::set<const Region*> alive_;
  std::map<std::string, std::int64_t> plan_keys_;
};

}  // namespace torchweld::runtime
