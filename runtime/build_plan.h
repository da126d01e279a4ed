#pragma once

#include <memory>

#include "runtime/launch_plan.h"
#include "runtime/region_body.h"
#include "torchweld/options.h"

namespace torchweld::runtime {

/// All that a plan is made from; independent of the call that asks for it.
struct PlanRequest {
  std::shared_ptr<const RegionBody> body;
  std::int64_t plan_key = 0;
  Options options;
  CallDevice device;
  graph::CallFacts facts;
};

/// Plans, prints and compiles. Never throws for what planning or compiling does: that becomes a refusal.
[[nodiscard]] std::shared_ptr<const LaunchPlan> build_plan(const PlanRequest& request, KernelStore& store);

/// What a compiler is given for each kernel of a program.
[[nodiscard]] std::vector<KernelSource> sources_of(const codegen::Program& program, const codegen::Target& target,
                                                   const std::string& arch);

}  // namespace torchweld::runtime
