#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codegen/kernel.h"
#include "runtime/fallback_reason.h"
#include "runtime/loaded_kernel.h"
#include "runtime/region.h"

namespace torchweld::runtime {

struct KernelStatistics {
  std::string name;
  std::string schedule;
  Resources resources;
  double compile_ms = 0;  ///< of the compiler call, also where it was another process's
  Origin origin = Origin::memory;
};

/// One signature of a region.
struct PlanStatistics {
  std::string signature;  ///< "f32[4,128] f32[128] 3"
  graph::CallFacts facts;
  std::uint64_t calls = 0;  ///< of all regions that share the plan
  double planning_ms = 0;
  double waiting_ms = 0;  ///< for kernels
  bool refused = false;
  FallbackReason reason = FallbackReason::off;  ///< where it was refused
  std::string details;                          ///< likewise
  /// Groups, refusals and bytes of the plan, texts and schedules of its kernels; null where planning was refused.
  std::shared_ptr<const codegen::Program> program;
  std::vector<KernelStatistics> kernels;  ///< one per kernel of the program, where all compiled
};

struct RegionStatistics {
  const Region* region = nullptr;  ///< to compare with, and valid only while somebody holds the region
  RegionState state;
  std::uint64_t calls = 0;
  std::array<std::uint64_t, kNumFallbackReasons> fallbacks{};  ///< by FallbackReason
  std::vector<PlanStatistics> plans;

  [[nodiscard]] std::uint64_t num_fallbacks() const;
};

/// What happened to one region so far.
[[nodiscard]] RegionStatistics statistics_of(const Region& region);
/// What happened to every region that is alive.
[[nodiscard]] std::vector<RegionStatistics> statistics();

}  // namespace torchweld::runtime
