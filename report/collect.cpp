#include "report/collect.h"

#include <fmt/format.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/custom_class.h>

#include <algorithm>
#include <array>
#include <set>

#include "graph/op.h"
#include "report/eager_cost.h"
#include "report/from_program.h"
#include "runtime/region.h"
#include "runtime/region_body.h"
#include "torchweld/error.h"

namespace torchweld::report {
namespace {

using RegionPtr = c10::intrusive_ptr<runtime::Region>;

bool is_region(const c10::IValue& value) {
  static const c10::ClassTypePtr kClass = c10::getCustomClassType<RegionPtr>();
  return value.isObject() && *value.type() == *kClass;
}

/// Where a method lives: "forward" on the module itself, "encoder.forward" on a submodule.
std::pair<torch::jit::Module, std::string> owner_of(const torch::jit::Module& module, const std::string& method) {
  torch::jit::Module owner = module;
  std::string rest = method;
  for (auto dot = rest.find('.'); dot != std::string::npos; dot = rest.find('.')) {
    owner = owner.attr(rest.substr(0, dot)).toModule();
    rest.erase(0, dot + 1);
  }
  return {owner, rest};
}

/// The tensor ops of a region that no outcome describes.
std::vector<std::string> ops_of(const runtime::Region& region) {
  std::vector<std::string> ops;
  for (const graph::Node& node : region.body().translated().graph.nodes())
    if (!graph::is_host_scalar(*node.op)) ops.emplace_back(node.op->name);
  return ops;
}

/// Keeps the plans that were called since `before`, with the calls since then.
void drop_uncalled(std::vector<runtime::PlanStatistics>& plans, const PlanCalls& before) {
  std::erase_if(plans, [&](runtime::PlanStatistics& plan) {
    const auto earlier = before.find(plan.program.get());
    if (plan.program && earlier != before.end()) plan.calls -= earlier->second;
    return plan.calls == 0 && !plan.refused;
  });
}

Region region_from(const CollectedRegion& collected) {
  Region region;
  region.name = collected.name;
  region.ops = collected.ops;
  region.lines = collected.lines;
  region.kernels_before = static_cast<int>(std::count_if(region.ops.begin(), region.ops.end(), launches_kernel));
  const runtime::RegionStatistics& statistics = collected.statistics;
  region.fused_calls = static_cast<std::int64_t>(statistics.calls - statistics.num_fallbacks());
  for (const runtime::PlanStatistics& recorded : statistics.plans) {
    if (!recorded.program) continue;
    Plan plan = plan_from(*recorded.program);
    plan.signature = recorded.signature;
    plan.calls = static_cast<std::int64_t>(recorded.calls);
    const EagerCost eager = eager_cost(statistics.region->body().translated().graph, recorded.facts);
    plan.bytes_eager = eager.bytes;
    region.kernels_before = std::max(region.kernels_before, eager.kernels);  // copies depend on strides
    for (std::size_t i = 0; i < recorded.kernels.size() && i < plan.kernels.size(); ++i)
      if (const auto& used = recorded.kernels[i].resources; used.registers > 0)
        plan.kernels[i].resources = Resources{used.registers, used.shared_bytes, used.spill_bytes};
    region.plans.push_back(std::move(plan));
  }
  return region;
}

void add_fallbacks(Region& region, const runtime::RegionStatistics& statistics) {
  for (std::size_t i = 0; i < statistics.fallbacks.size(); ++i) {
    if (statistics.fallbacks[i] == 0) continue;
    const auto reason = static_cast<runtime::FallbackReason>(i);
    const auto refused = std::find_if(statistics.plans.begin(), statistics.plans.end(),
                                      [&](const auto& plan) { return plan.refused && plan.reason == reason; });
    region.fallbacks.push_back({.reason = std::string(runtime::name_of(reason)),
                                .details = refused == statistics.plans.end() ? "" : refused->details,
                                .count = static_cast<std::int64_t>(statistics.fallbacks[i])});
  }
}

/// Ops without a row in the op table and nodes that are no tensor arithmetic could not have been fused; views cost
/// nothing where they are.
bool is_fusable(const MethodOutcome::Outside& outside) {
  constexpr std::array kNever{Boundary::unknown_op, Boundary::moves_device, Boundary::control_flow, Boundary::random,
                              Boundary::side_effect};
  return std::find(kNever.begin(), kNever.end(), outside.reason) == kNever.end() && launches_kernel(outside.op);
}

std::string target_of(const std::vector<CollectedRegion>& regions) {
  for (const CollectedRegion& region : regions)
    for (const runtime::PlanStatistics& plan : region.statistics.plans)
      return plan.facts.place.device == graph::Device::cuda ? "cuda" : "cpu";
  return "none: no region ran";
}

CollectedRegion collected(std::string name, const runtime::Region& region, const PlanCalls& before) {
  CollectedRegion result{std::move(name), ops_of(region), region.state().lines, runtime::statistics_of(region)};
  drop_uncalled(result.statistics.plans, before);
  return result;
}

}  // namespace

std::vector<CollectedRegion> regions_of(const torch::jit::Module& module, const Outcome* outcome,
                                        const std::string& method, const PlanCalls& before) {
  std::vector<CollectedRegion> regions;
  std::set<const runtime::Region*> described;
  const auto [owner, name] = owner_of(module, method);
  if (!owner.find_method(name)) throw Error(fmt::format("report: the module has no method '{}'", method));
  for (const auto& [other, one] : outcome ? outcome->methods : std::map<std::string, MethodOutcome>{}) {
    const torch::jit::Module holder = owner_of(module, other).first;
    for (const MethodOutcome::Region& region : one.regions) {
      const auto held = holder.attr(region.attribute).toCustomClass<runtime::Region>();
      described.insert(held.get());
      if (other != method) continue;
      regions.push_back(collected(region.attribute, *held, before));
      regions.back().ops = region.ops;
      regions.back().lines = region.lines;
    }
  }
  for (const auto& attribute : module.named_attributes(/*recurse=*/true)) {
    if (!is_region(attribute.value)) continue;
    const auto held = attribute.value.toCustomClass<runtime::Region>();
    if (!described.contains(held.get())) regions.push_back(collected(attribute.name, *held, before));
  }
  return regions;
}

PlanCalls plan_calls(const torch::jit::Module& module) {
  PlanCalls calls;
  for (const auto& attribute : module.named_attributes(/*recurse=*/true)) {
    if (!is_region(attribute.value)) continue;
    for (const auto& plan : runtime::statistics_of(*attribute.value.toCustomClass<runtime::Region>()).plans)
      if (plan.program) calls[plan.program.get()] = plan.calls;
  }
  return calls;
}

Report collect(const torch::jit::Module& module, const Outcome* outcome, const std::string& method,
               const PlanCalls& before) {
  const std::vector<CollectedRegion> regions = regions_of(module, outcome, method, before);
  Report report;
  report.target = target_of(regions);
  if (outcome) report.refusal = outcome->refusal;
  Method described{.name = method, .regions = {}, .outside = {}};
  for (const CollectedRegion& region : regions) {
    described.regions.push_back(region_from(region));
    add_fallbacks(described.regions.back(), region.statistics);
  }
  if (outcome && outcome->methods.contains(method)) described.outside = outcome->methods.at(method).outside;
  for (const MethodOutcome::Outside& outside : described.outside)
    if (is_fusable(outside)) described.fusable_outside += outside.count;
  report.methods.push_back(std::move(described));
  return report;
}

}  // namespace torchweld::report
