#include "fusion/primitives.h"

#include <stdexcept>

namespace torchweld::testing {

namespace {

template <typename T>
T value_of(std::variant<T, graph::Unsupported> outcome) {
  if (const auto* unsupported = std::get_if<graph::Unsupported>(&outcome))
    throw std::runtime_error(unsupported->reason + ": " + unsupported->where);
  return std::get<T>(std::move(outcome));
}

}  // namespace

graph::Graph primitives_of(std::string_view region) {
  const graph::Graph parsed = graph::parse(region);
  graph::CallFacts facts;
  for (const graph::Value input : parsed.inputs()) {
    if (const auto* scalar = std::get_if<graph::ScalarType>(&parsed.type(input)))
      facts.inputs.emplace_back(graph::ScalarFact{scalar->dtype, {}});
    else
      facts.inputs.emplace_back(parsed.tensor(input));
  }
  const graph::Graph typed = value_of(graph::infer(parsed, facts));
  return graph::simplify_primitives(value_of(graph::lower(typed)));
}

fusion::Plan plan_of(const graph::Graph& primitive, bool fuse) {
  return value_of(fusion::make_plan(primitive, fusion::PlanOptions{.fuse = fuse}));
}

}  // namespace torchweld::testing
