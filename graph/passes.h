#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace torchweld::graph {

/// A number as it reaches a region. `value` is empty when changing it must not cost a new plan (it becomes a kernel
/// argument); then only its dtype (i64, f64, bool) is known.
struct ScalarFact {
  DType dtype = DType::i64;
  std::optional<Operand> value;
};

/// What is known of one call when its graph is typed. One entry per graph input, in order: a tensor type, None for a
/// missing optional tensor, or a number.
struct CallFacts {
  std::vector<std::variant<TensorType, None, ScalarFact>> inputs;
  DType default_dtype = DType::f32;
  Place place;
};

/// Why a graph cannot be typed, lowered or planned for these facts. Never an error: the original nodes run.
struct Unsupported {
  std::string reason;  ///< enumerated, snake_case: "dtype", "layout", "eager_refuses", "op_form", "too_large"
  std::string where;   ///< op and value, for people
};

/// True for each graph input whose number shapes or lists depend on, or that scalar nodes compute with: those values
/// belong to a signature. Other numbers may be left open in CallFacts.
[[nodiscard]] std::vector<bool> inputs_needed_while_planning(const Graph& region);

/// Region form to typed form: dtype (ATen's promotion), sizes, strides as eager gives them, device. Scalar nodes are
/// evaluated; a scalar that is left open stays a Value of ScalarType.
[[nodiscard]] std::variant<Graph, Unsupported> infer(const Graph& region, const CallFacts& facts);

/// Typed form to primitive form: composites are decomposed, views become permute/reshape/expand/slice, reductions get
/// sorted dims and drop them. Types of the graph's inputs and outputs are unchanged, strides of outputs included.
[[nodiscard]] std::variant<Graph, Unsupported> lower(const Graph& typed);

/// Every pass has this shape. It never edits its argument and keeps no state; running it twice equals running it once.
using Pass = Graph (*)(const Graph&);
struct NamedPass {
  std::string_view name;
  Pass run;
};
/// The passes by name: merge_common_subexpressions, remove_dead_nodes, simplify, ...
[[nodiscard]] std::span<const NamedPass> passes();
/// The passes that planning runs on a primitive graph, in order; verifies after each.
[[nodiscard]] Graph simplify_primitives(const Graph& primitive);

/// For each output of a typed graph, the value whose memory eager returns: an input, or what a node made.
[[nodiscard]] std::vector<Value> memory_of_outputs(const Graph& typed);
/// A caller may write into an output. Copies each output of a primitive graph that is an input, a view of one, or
/// another output, unless it is so in eager (`eager`, of memory_of_outputs()). The last pass, since others undo a copy.
[[nodiscard]] Graph copy_outputs(const Graph& primitive, const std::vector<Value>& eager);

/// The compute dtype of a pointwise or reduction node of a typed graph: what its operands are converted to.
[[nodiscard]] DType compute_dtype(const Graph& graph, const Node& node);

/// Throws InternalError naming the first node whose operands or types break an invariant of its op.
void verify(const Graph& graph);

/// The text form, as in the tests: graph(%x: f32[8]): / %a: f32[8] = aten::relu(%x) / return %a.
/// Types: f32[8,4], with strides f32[8,4]{1,8} when not contiguous, then @cuda for the device, @align4 for an alignment
/// other than kVectorBytes, @number for a wrapped number; int, float, bool for numbers; tensor (untyped); list.
/// Operands: %x, 1, 0.5, True, None, "text", [1, 2].
[[nodiscard]] std::string to_text(const Graph& graph);
[[nodiscard]] std::string to_text(const Type& type);
/// Parses the text form. Throws torchweld::Error naming line and column, what was found and what was expected.
[[nodiscard]] Graph parse(std::string_view text);

}  // namespace torchweld::graph
