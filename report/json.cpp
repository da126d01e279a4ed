#include <nlohmann/json.hpp>

#include "report/report.h"

namespace torchweld::report {
namespace {

using Json = nlohmann::ordered_json;

template <class Items, class Convert>
Json list_of(const Items& items, Convert convert) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(convert(item));
  return list;
}

Json json_from(const Kernel& kernel) {
  Json json{{"name", kernel.name},
            {"schedule", kernel.schedule},
            {"inputs", kernel.inputs},
            {"outputs", kernel.outputs},
            {"bytes_read", kernel.bytes_read},
            {"bytes_written", kernel.bytes_written},
            {"bytes_eager", kernel.bytes_eager}};
  if (kernel.resources)
    json["resources"] = Json{{"registers", kernel.resources->registers},
                             {"shared_bytes", kernel.resources->shared_bytes},
                             {"spilled_bytes", kernel.resources->spilled_bytes}};
  return json;
}

Json json_from(const Edge& edge) {
  return {{"value", edge.value},   {"from", edge.from},       {"to", edge.to},
          {"reason", edge.reason}, {"details", edge.details}, {"bytes", edge.bytes}};
}

Json json_from(const Plan& plan) {
  return {{"signature", plan.signature},
          {"calls", plan.calls},
          {"bytes_eager", plan.bytes_eager},
          {"bytes_planned", plan.bytes_planned},
          {"bytes_ideal", plan.bytes_ideal},
          {"kernels", list_of(plan.kernels, [](const Kernel& kernel) { return json_from(kernel); })},
          {"edges", list_of(plan.edges, [](const Edge& edge) { return json_from(edge); })}};
}

Json json_from(const Fallback& fallback) {
  return {{"reason", fallback.reason}, {"details", fallback.details}, {"count", fallback.count}};
}

Json json_from(const Region& region) {
  return {{"name", region.name},
          {"ops", region.ops},
          {"lines", region.lines},
          {"kernels_before", region.kernels_before},
          {"fused_calls", region.fused_calls},
          {"plans", list_of(region.plans, [](const Plan& plan) { return json_from(plan); })},
          {"fallbacks", list_of(region.fallbacks, [](const Fallback& fallback) { return json_from(fallback); })}};
}

Json json_from(const MethodOutcome::Outside& outside) {
  return {{"op", outside.op}, {"line", outside.line}, {"reason", name_of(outside.reason)}, {"count", outside.count}};
}

Json json_from(const Method& method) {
  return {
      {"name", method.name},
      {"regions", list_of(method.regions, [](const Region& region) { return json_from(region); })},
      {"outside", list_of(method.outside, [](const MethodOutcome::Outside& outside) { return json_from(outside); })}};
}

Json json_from(const Totals& totals) {
  return {{"regions", totals.regions},
          {"ops_fused", totals.ops_fused},
          {"ops_fusable", totals.ops_fusable},
          {"kernels_before", totals.kernels_before},
          {"kernels_after", totals.kernels_after},
          {"bytes_before", totals.bytes_before},
          {"bytes_after", totals.bytes_after},
          {"bytes_ideal", totals.bytes_ideal},
          {"fused_calls", totals.fused_calls},
          {"fallback_calls", totals.fallback_calls}};
}

}  // namespace

std::string json_of(const Report& report) {
  const Json json{{"version", kJsonVersion},
                  {"model", report.model},
                  {"inputs", report.inputs},
                  {"target", report.target},
                  {"refusal", report.refusal},
                  {"totals", json_from(totals_of(report))},
                  {"methods", list_of(report.methods, [](const Method& method) { return json_from(method); })}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace torchweld::report
