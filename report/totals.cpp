#include <fmt/format.h>

#include <array>
#include <cmath>

#include "report/report.h"

namespace torchweld::report {
namespace {

/// The mean of `figure` over the calls of a region's plans.
template <class Figure>
double mean_of(const Region& region, Figure figure) {
  double sum = 0;
  double calls = 0;
  for (const Plan& plan : region.plans) {
    sum += static_cast<double>(plan.calls) * static_cast<double>(figure(plan));
    calls += static_cast<double>(plan.calls);
  }
  return calls > 0 ? sum / calls : 0;
}

struct Means {
  double kernels = 0, before = 0, after = 0, ideal = 0;
  void add(const Region& region) {
    kernels += mean_of(region, [](const Plan& plan) { return plan.kernels.size(); });
    before += mean_of(region, [](const Plan& plan) { return plan.bytes_eager; });
    after += mean_of(region, [](const Plan& plan) { return plan.bytes_planned; });
    ideal += mean_of(region, [](const Plan& plan) { return plan.bytes_ideal; });
  }
};

void add_region(Totals& totals, const Region& region) {
  totals.regions += 1;
  totals.ops_fused += static_cast<int>(region.ops.size());
  totals.fused_calls += region.fused_calls;
  for (const Fallback& fallback : region.fallbacks) totals.fallback_calls += fallback.count;
  if (!region.plans.empty()) totals.kernels_before += region.kernels_before;
}

}  // namespace

Totals totals_of(const Report& report) {
  Totals totals;
  Means means;
  for (const Method& method : report.methods) {
    totals.ops_fusable += method.fusable_outside;
    for (const Region& region : method.regions) {
      add_region(totals, region);
      means.add(region);
    }
  }
  totals.ops_fusable += totals.ops_fused;
  totals.kernels_after = static_cast<int>(std::lround(means.kernels));
  totals.bytes_before = std::llround(means.before);
  totals.bytes_after = std::llround(means.after);
  totals.bytes_ideal = std::llround(means.ideal);
  return totals;
}

std::string bytes_text(std::int64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr std::array kUnits{"KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (value /= 1024; value >= 999.5 && unit + 1 < kUnits.size(); value /= 1024) ++unit;
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, kUnits[unit]);
}

}  // namespace torchweld::report
