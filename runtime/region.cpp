#include "runtime/region.h"

#include <utility>

#include "runtime/fallback_reason.h"
#include "runtime/runtime.h"

namespace torchweld::runtime {

Region::Region(RegionState state)
    : state_(std::move(state)), body_(Runtime::get().bodies.body_of(state_.text)),
      plan_key_(Runtime::get().regions.plan_key(state_.text, state_.options)),
      counters_(std::make_unique<RegionCounters>()) {
  Runtime::get().regions.add(this);
}

Region::~Region() { Runtime::get().regions.remove(this); }

c10::intrusive_ptr<Region> make_region(RegionState state) { return c10::make_intrusive<Region>(std::move(state)); }

}  // namespace torchweld::runtime
