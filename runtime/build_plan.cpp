#include "runtime/build_plan.h"

#include <chrono>
#include <utility>

#include "graph/round_every_op.h"
#include "runtime/make_steps.h"
#include "runtime/target.h"

namespace torchweld::runtime {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::optional<NoPlan> build(LaunchPlan& plan, const PlanRequest& request, KernelStore& store) {
  const auto target = target_of(request.device, request.options.arch);
  auto begin = Clock::now();
  const auto& region = request.body->translated().graph;
  const bool rounded = request.options.numerics == Numerics::eager;
  auto built = codegen::build_program(rounded ? graph::round_every_op(region) : region, request.facts, target, {});
  plan.planning_ms = ms_since(begin);
  if (const auto* unsupported = std::get_if<graph::Unsupported>(&built))
    return NoPlan{reason_from_unsupported(unsupported->reason), unsupported->where};
  plan.program = std::make_shared<const codegen::Program>(std::move(std::get<codegen::Program>(built)));
  begin = Clock::now();
  plan.kernels = store.get(sources_of(*plan.program, target, request.options.arch), request.options.cache_dir,
                           request.options.mode != Mode::cached_only);
  plan.waiting_ms = ms_since(begin);
  return make_steps(plan);
}

}  // namespace

std::vector<KernelSource> sources_of(const codegen::Program& program, const codegen::Target& target,
                                     const std::string& arch) {
  std::vector<KernelSource> sources;
  for (const auto& kernel : program.kernels)
    sources.push_back({target.backend, kernel.name, kernel.text, compiler_target(target, arch)});
  return sources;
}

std::shared_ptr<const LaunchPlan> build_plan(const PlanRequest& request, KernelStore& store) {
  auto plan = std::make_shared<LaunchPlan>();
  plan->plan_key = request.plan_key;
  plan->device = request.device;
  plan->facts = request.facts;
  try {
    plan->refusal = build(*plan, request, store);
  } catch (const CompileFailure& failure) {
    plan->refusal = NoPlan{failure.reason(), failure.what()};
  } catch (const std::exception& error) {
    plan->refusal = NoPlan{FallbackReason::internal_error, error.what()};
  }
  return plan;
}

}  // namespace torchweld::runtime
