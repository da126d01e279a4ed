#include "runtime/statistics.h"

#include <numeric>

#include "runtime/runtime.h"

namespace torchweld::runtime {
namespace {

PlanStatistics statistics_of(const LaunchPlan& plan) {
  PlanStatistics result;
  result.signature = text_of(plan.facts);
  result.facts = plan.facts;
  result.calls = plan.calls.load(std::memory_order_relaxed);
  result.planning_ms = plan.planning_ms;
  result.waiting_ms = plan.waiting_ms;
  result.refused = plan.refusal.has_value();
  if (plan.refusal) {
    result.reason = plan.refusal->reason;
    result.details = plan.refusal->details;
  }
  result.program = plan.program;
  for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
    const auto& kernel = *plan.kernels[i].kernel;
    result.kernels.push_back(
        {kernel.name, plan.program->kernels[i].schedule, kernel.resources, kernel.compile_ms, plan.kernels[i].origin});
  }
  return result;
}

RegionStatistics statistics_of(const Region& region, const std::vector<std::shared_ptr<const LaunchPlan>>& plans) {
  RegionStatistics result;
  result.region = &region;
  result.state = region.state();
  result.calls = region.counters().calls.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < kNumFallbackReasons; ++i)
    result.fallbacks[i] = region.counters().fallbacks[i].load(std::memory_order_relaxed);
  for (const auto& plan : plans)
    if (plan->plan_key == region.plan_key()) result.plans.push_back(statistics_of(*plan));
  return result;
}

}  // namespace

std::uint64_t RegionStatistics::num_fallbacks() const {
  return std::accumulate(fallbacks.begin(), fallbacks.end(), std::uint64_t{0});
}

RegionStatistics statistics_of(const Region& region) { return statistics_of(region, Runtime::get().plans.plans()); }

std::vector<RegionStatistics> statistics() {
  const auto plans = Runtime::get().plans.plans();
  std::vector<RegionStatistics> result;
  Runtime::get().regions.for_each([&](const Region& region) { result.push_back(statistics_of(region, plans)); });
  return result;
}

}  // namespace torchweld::runtime
