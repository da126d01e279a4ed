#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fusion/group.h"
#include "graph/passes.h"

namespace torchweld::fusion {

/// Why two nodes do not share a kernel. docs list these; keep name and sentence in fusion/reason.cpp.
enum class Reason : std::uint8_t {
  reshape_does_not_align,
  slice_of_computed_value,
  domains_disagree,
  two_index_maps,
  reduces_other_dims,
  reduction_repeats_per_row,
  output_does_not_span_domain,
  indirect_load_of_computed_value,
  path_leaves_and_returns,
  too_many_operands,
  too_many_live_values,
  not_profitable,
  not_connected,
};
[[nodiscard]] std::string_view name_of(Reason reason);

struct Refusal {
  Reason reason = Reason::domains_disagree;
  graph::Value value;   ///< the value at fault, where there is one
  std::string details;  ///< for people: sizes, counts against limits
  bool operator==(const Refusal&) const = default;
};

/// A value that one kernel writes and another reads, and why they are two.
struct Edge {
  graph::Value value;
  int from_group = -1;  ///< -1: an input of the region that several kernels read
  int to_group = -1;
  Refusal refusal;
  std::int64_t bytes = 0;  ///< what the separation costs: the write and the reads, or the second read
};

/// An output that is an input or a view of one: no kernel writes it. Its strides are those of its type.
struct InputView {
  graph::Value output;
  graph::Value input;
  std::int64_t offset = 0;  ///< of its first element in the input's memory, in elements
};

struct Plan {
  std::vector<Group> groups;  ///< in launch order
  std::vector<graph::Value>
      intermediates;             ///< values that live in memory between groups, with the strides of their type
  std::vector<InputView> views;  ///< outputs that the caller makes itself
  std::vector<Edge> edges;       ///< every edge between two groups, recorded while planning
  std::int64_t bytes_eager = 0;
  std::int64_t bytes_planned = 0;
  std::int64_t bytes_ideal = 0;  ///< inputs once and outputs once
};

struct PlanOptions {
  int max_operands = 32;  ///< tensors a kernel: parameter space and registers for pointers
  bool fuse = true;       ///< false: one group per node, for the fused == unfused tests
};

/// Plans the kernels of a primitive graph (graph::lower, then graph::simplify_primitives).
/// Every node that reaches an output is in a group. A view of an input that is an output is in Plan::views.
[[nodiscard]] std::variant<Plan, graph::Unsupported> make_plan(const graph::Graph& primitive,
                                                               const PlanOptions& options);

/// Why node `producer` cannot join the kernel of node `consumer`; empty when it can.
[[nodiscard]] std::optional<Refusal> why_not_fuse(const graph::Graph& primitive, std::int32_t producer,
                                                  std::int32_t consumer);

}  // namespace torchweld::fusion
