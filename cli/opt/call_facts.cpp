#include "cli/opt/call_facts.h"

namespace torchweld {

graph::CallFacts facts_of(const graph::Graph& region) {
  graph::CallFacts facts;
  for (const graph::Value input : region.inputs()) {
    const graph::Type& type = region.type(input);
    if (const auto* tensor = std::get_if<graph::TensorType>(&type)) {
      facts.inputs.emplace_back(*tensor);
      if (tensor->device == graph::Device::cuda) facts.place.device = graph::Device::cuda;
    } else if (const auto* scalar = std::get_if<graph::ScalarType>(&type)) {
      facts.inputs.emplace_back(graph::ScalarFact{scalar->dtype, std::nullopt});
    } else {
      facts.inputs.emplace_back(graph::None{});
    }
  }
  return facts;
}

}  // namespace torchweld
