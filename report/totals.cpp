#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/report.h"

namespace torchweld::report {
namespace {

/// Ops without a row in the op table, and nodes that are no tensor arithmetic, could not have been fused.
bool is_fusable(const MethodOutcome::Outside& outside) {
  constexpr std::array kNever{Boundary::unknown_op, Boundary::control_flow, Boundary::random, Boundary::side_effect};
  return std::find(kNever.begin(), kNever.end(), outside.reason) == kNever.end();
}

void add_plan(Totals& totals, const Plan& plan) {
  totals.kernels_after += static_cast<int>(plan.kernels.size());
  totals.bytes_before += plan.bytes_eager;
  totals.bytes_after += plan.bytes_planned;
  totals.bytes_ideal += plan.bytes_ideal;
}

void add_region(Totals& totals, const Region& region) {
  totals.regions += 1;
  totals.ops_fused += static_cast<int>(region.ops.size());
  totals.fused_calls += region.fused_calls;
  for (const Fallback& fallback : region.fallbacks) totals.fallback_calls += fallback.count;
  for (const Plan& plan : region.plans) {
    totals.kernels_before += region.kernels_before;
    add_plan(totals, plan);
  }
}

}  // namespace

Totals totals_of(const Report& report) {
  Totals totals;
  for (const Method& method : report.methods) {
    for (const Region& region : method.regions) add_region(totals, region);
    for (const MethodOutcome::Outside& outside : method.outside)
      if (is_fusable(outside)) totals.ops_fusable += outside.count;
  }
  totals.ops_fusable += totals.ops_fused;
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
