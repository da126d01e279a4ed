#include "fusion/sink_slices.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fusion/memory_view.h"
#include "fusion/profit.h"
#include "graph/builder.h"
#include "graph/rewrite.h"

namespace torchweld::fusion {

using graph::Dims;
using graph::Graph;
using graph::Node;
using graph::Operand;
using graph::Value;

namespace {

/// Ops up to this weight may be computed twice, where slices overlap.
constexpr int kCheapWeight = 8;

bool is_slice(const Node& node) { return graph::is_view(*node.op) && view_of(node)->kind == graph::ViewKind::slice; }

/// What the uses of each value ask of it.
struct Uses {
  std::vector<std::int64_t> sliced;  ///< elements that slices take
  std::vector<char> whole;           ///< an output, or used by what neither is a slice nor only sliced itself
};

/// Per node: a pointwise op that only slices use.
std::vector<char> find_sliced_ops(const Graph& graph) {
  const auto nodes = graph.nodes();
  Uses uses{std::vector<std::int64_t>(static_cast<std::size_t>(graph.num_values()), 0),
            std::vector<char>(static_cast<std::size_t>(graph.num_values()), 0)};
  for (const Value output : graph.outputs()) uses.whole[static_cast<std::size_t>(output.index)] = 1;
  const std::vector<char> is_output = uses.whole;
  std::vector<char> is_sliced(nodes.size(), 0);
  for (std::size_t at = nodes.size(); at-- > 0;) {
    const Node& node = nodes[at];
    const auto result = static_cast<std::size_t>(node.results[0].index);
    const Dims& sizes = graph.tensor(node.results[0]).sizes;
    const std::int64_t limit = graph::numel(sizes) * (weight_of(*node.op) <= kCheapWeight ? 2 : 1);
    const bool sliced =
        graph::is_pointwise(*node.op) && !uses.whole[result] && uses.sliced[result] > 0 && uses.sliced[result] <= limit;
    is_sliced[at] = sliced ? 1 : 0;
    for (const Value value : graph::values_of(node)) {
      const auto used = static_cast<std::size_t>(value.index);
      const auto* type = std::get_if<graph::TensorType>(&graph.type(value));
      if (is_slice(node) && !is_output[result])
        uses.sliced[used] += graph::numel(sizes);
      else if (is_sliced[at] && type != nullptr && type->sizes == sizes)
        uses.sliced[used] += uses.sliced[result];
      else
        uses.whole[used] = 1;
    }
  }
  return is_sliced;
}

class Sinking {
public:
  explicit Sinking(const Graph& in)
      : in_(in), rewrite_(in), builder_(rewrite_.out()), is_sliced_(find_sliced_ops(in)) {}

  Graph run() {
    for (std::size_t at = 0; at < in_.nodes().size(); ++at) {
      const Node& node = in_.nodes()[at];
      if (is_sliced_[at]) continue;
      const Value source = is_slice(node) ? source_of(node) : Value{};
      if (source.index >= 0 && sinks_into(source)) {
        done_.clear();
        rewrite_.rename(node.results[0], sliced(source, node));
      } else {
        rewrite_.copy(node);
      }
    }
    return rewrite_.finish();
  }

private:
  [[nodiscard]] bool sinks_into(Value value) const {
    const std::int32_t producer = in_.producer(value);
    return producer >= 0 && is_sliced_[static_cast<std::size_t>(producer)] != 0;
  }

  /// The part of `value`, which broadcasts to the source of `slice`, that the slice takes.
  Value sliced(Value value, const Node& slice) {
    const auto* type = std::get_if<graph::TensorType>(&in_.type(value));
    const Dims& whole = in_.tensor(source_of(slice)).sizes;
    const auto dim = static_cast<std::size_t>(int_of(slice.operands[1]));
    const std::size_t missing = type == nullptr ? whole.size() : whole.size() - type->sizes.size();
    if (type == nullptr || dim < missing || type->sizes[dim - missing] != whole[dim]) return rewrite_.renamed(value);
    for (const auto& [from, to] : done_)
      if (from == value) return to;
    const Value result = sinks_into(value) ? apply_to_slices(value, slice) : slice_of(value, slice, dim - missing);
    done_.emplace_back(value, result);
    return result;
  }

  Value slice_of(Value value, const Node& slice, std::size_t dim) {
    const std::int64_t size = in_.tensor(slice.results[0]).sizes[static_cast<std::size_t>(int_of(slice.operands[1]))];
    builder_.set_line(slice.line);
    return builder_.slice(rewrite_.renamed(value), dim, int_of(slice.operands[2]), int_of(slice.operands[3]), size);
  }

  Value apply_to_slices(Value value, const Node& slice) {
    const Node& node = in_.nodes()[static_cast<std::size_t>(in_.producer(value))];
    std::vector<Operand> operands;
    for (const Operand& operand : node.operands) {
      const Value* used = operand.value();
      operands.push_back(used != nullptr ? Operand(sliced(*used, slice)) : operand);
    }
    graph::TensorType type = in_.tensor(value);
    type.sizes = in_.tensor(slice.results[0]).sizes;
    type.strides = graph::contiguous_strides(type.sizes);
    return rewrite_.out().add_one(*node.op, std::move(operands), std::move(type), node.line);
  }

  const Graph& in_;
  graph::Rewrite rewrite_;
  graph::Builder builder_;
  std::vector<char> is_sliced_;
  std::vector<std::pair<Value, Value>> done_;  ///< what the slice at hand has taken already
};

}  // namespace

Graph sink_slices(const Graph& primitive) { return Sinking(primitive).run(); }

}  // namespace torchweld::fusion
