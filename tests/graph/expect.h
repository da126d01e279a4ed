#pragma once

#include <gtest/gtest.h>

#include <string>

#include "graph/passes.h"
#include "torchweld/error.h"

namespace torchweld::graph {

/// Facts of a call from the types of a region's inputs: numbers are open, an untyped tensor is a missing one.
inline CallFacts facts_of(const Graph& region) {
  CallFacts facts;
  for (const Value input : region.inputs()) {
    if (const auto* type = std::get_if<TensorType>(&region.type(input))) {
      facts.inputs.emplace_back(*type);
      if (type->device == Device::cuda) facts.place.device = Device::cuda;
    } else if (const auto* scalar = std::get_if<ScalarType>(&region.type(input))) {
      facts.inputs.emplace_back(ScalarFact{scalar->dtype, std::nullopt});
    } else {
      facts.inputs.emplace_back(None{});
    }
  }
  return facts;
}

/// A result as text: the graph, or "reason: where".
inline std::string text_of(const std::variant<Graph, Unsupported>& result) {
  if (const auto* why = std::get_if<Unsupported>(&result)) return why->reason + ": " + why->where;
  return to_text(std::get<Graph>(result));
}

/// `pass` makes `after` of `before`, twice, and leaves a graph that verifies.
inline void expect_pass(Pass pass, const std::string& before, const std::string& after) {
  const Graph once = pass(parse(before));
  verify(once);
  EXPECT_EQ(to_text(once), to_text(parse(after)));
  EXPECT_TRUE(once == parse(after));
  EXPECT_EQ(to_text(pass(once)), to_text(once));
}

inline void expect_unchanged(Pass pass, const std::string& text) { expect_pass(pass, text, text); }

inline Pass pass_named(std::string_view name) {
  for (const NamedPass& pass : passes())
    if (pass.name == name) return pass.run;
  throw InternalError("no pass " + std::string(name));
}

}  // namespace torchweld::graph
