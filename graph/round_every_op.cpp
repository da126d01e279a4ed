#include "graph/round_every_op.h"

#include "graph/op.h"
#include "graph/rewrite.h"

namespace torchweld::graph {
namespace {

/// Views hand on values that are rounded already; numbers are never 16-bit floats.
bool computes(const Op& op) {
  const auto* composite = std::get_if<Composite>(&op.body);
  return composite ? !composite->views : is_pointwise(op) || is_reduction(op);
}

}  // namespace

Graph round_every_op(const Graph& region) {
  static const Op& round = *find_op("torchweld::round");
  Rewrite rewrite(region);
  for (const Node& node : region.nodes()) {
    rewrite.copy(node);
    if (!computes(*node.op)) continue;
    for (const Value result : node.results) {
      if (!std::holds_alternative<UntypedTensor>(region.type(result))) continue;
      const Value exact = rewrite.renamed(result);
      rewrite.out().set_name(exact, "");
      rewrite.rename(result, rewrite.out().add_one(round, {exact}, UntypedTensor{}, node.line));
    }
  }
  return rewrite.finish();
}

}  // namespace torchweld::graph
