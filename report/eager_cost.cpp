#include "report/eager_cost.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <array>

#include "graph/layout.h"
#include "graph/op.h"

namespace torchweld::report {

bool launches_kernel(const std::string& op) {
  const auto dot = op.find('.');
  const auto schema =
      c10::Dispatcher::singleton().findSchema({op.substr(0, dot), dot == std::string::npos ? "" : op.substr(dot + 1)});
  if (!schema || schema->schema().returns().empty()) return true;
  const auto* alias = schema->schema().returns()[0].alias_info();
  return alias == nullptr || alias->isWrite();
}

namespace {

/// Ops that copy where their argument is not as it is asked for.
constexpr std::array<std::string_view, 12> kMayCopy{
    "aten::contiguous",     "aten::flatten.using_ints", "aten::reshape",         "aten::reshape_as",
    "aten::to.device",      "aten::to.dtype",           "aten::to.dtype_layout", "aten::to.other",
    "aten::to.prim_Device", "aten::to.prim_dtype",      "aten::to.prim_other",   "aten::type_as"};

bool copies(const graph::Graph& typed, const graph::Node& node) {
  if (std::find(kMayCopy.begin(), kMayCopy.end(), node.op->name) == kMayCopy.end()) return false;
  const graph::TensorType& from = typed.tensor(*node.operands[0].value());
  const graph::TensorType& to = typed.tensor(node.results[0]);
  if (from.dtype != to.dtype) return true;
  return from.sizes == to.sizes ? from.strides != to.strides : !graph::view_strides(from, to.sizes);
}

}  // namespace

EagerCost eager_cost(const graph::Graph& region, const graph::CallFacts& facts) {
  const auto inferred = graph::infer(region, facts);
  const auto* typed = std::get_if<graph::Graph>(&inferred);
  if (!typed) return {};
  EagerCost cost;
  const auto add = [&](graph::Value value) {
    if (const auto* tensor = std::get_if<graph::TensorType>(&typed->type(value)))
      cost.bytes += graph::bytes_of(*tensor);
  };
  for (const graph::Node& node : typed->nodes()) {
    if (graph::is_host_scalar(*node.op)) continue;
    if (!launches_kernel(std::string(node.op->name)) && !copies(*typed, node)) continue;
    ++cost.kernels;
    for (const graph::Value value : graph::values_of(node)) add(value);
    for (const graph::Value value : node.results) add(value);
  }
  return cost;
}

}  // namespace torchweld::report
