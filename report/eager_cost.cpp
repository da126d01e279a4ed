#include "report/eager_cost.h"

#include <ATen/core/dispatch/Dispatcher.h>

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

std::int64_t eager_bytes(const graph::Graph& region, const graph::CallFacts& facts) {
  const auto inferred = graph::infer(region, facts);
  const auto* typed = std::get_if<graph::Graph>(&inferred);
  if (!typed) return 0;
  std::int64_t bytes = 0;
  const auto add = [&](graph::Value value) {
    if (const auto* tensor = std::get_if<graph::TensorType>(&typed->type(value))) bytes += graph::bytes_of(*tensor);
  };
  for (const graph::Node& node : typed->nodes()) {
    if (graph::is_host_scalar(*node.op) || !launches_kernel(std::string(node.op->name))) continue;
    for (const graph::Value value : graph::values_of(node)) add(value);
    for (const graph::Value value : node.results) add(value);
  }
  return bytes;
}

}  // namespace torchweld::report
