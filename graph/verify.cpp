#include <algorithm>
#include <string>

#include "graph/layout.h"
#include "graph/op.h"
#include "graph/passes.h"
#include "graph/pointwise.h"
#include "torchweld/error.h"

namespace torchweld::graph {
namespace {

/// Checks one node of a typed graph against the invariants of its class.
class NodeCheck {
public:
  NodeCheck(const Graph& graph, const Node& node, std::size_t index) : graph_(graph), node_(node), index_(index) {}

  void run() const {
    for (const Value value : node_.results) check_layout(value);
    std::visit([this](const auto& body) { check(body); }, node_.op->body);
  }

private:
  void check(const Expr& expr) const {
    const std::size_t named = operands_named_in(expr.text);
    if (node_.operands.size() < named)
      fail("has " + std::to_string(node_.operands.size()) + " operands, its expression names " + std::to_string(named));
    std::vector<const TensorType*> tensors;
    for (const Operand& operand : node_.operands) {
      const Value* value = operand.value();
      if (const auto* type = value ? std::get_if<TensorType>(&graph_.type(*value)) : nullptr) tensors.push_back(type);
    }
    const std::optional<Dims> sizes = broadcast_sizes(tensors);
    if (!sizes) fail("has operands that do not broadcast");
    require(*sizes == result().sizes, "result", "the sizes that the operands broadcast to");
    if (node_.op->promotion == Promotion::Predicate) require(result().dtype == DType::b8, "result", "bool");
    if (node_.op->promotion == Promotion::ToFloat) require(is_floating(result().dtype), "result", "a float dtype");
  }

  void check(const Reduction&) const {
    const Dims dims = ints(1);
    require(std::adjacent_find(dims.begin(), dims.end(), std::greater_equal<>()) == dims.end(), "dims", "sorted");
    const bool in_range = dims.empty() || (dims.front() >= 0 && dims.back() < operand(0).rank());
    require(in_range, "dims", "dims of the operand");
    Dims kept;
    for (std::int64_t dim = 0; dim < operand(0).rank(); ++dim)
      if (!std::binary_search(dims.begin(), dims.end(), dim)) kept.push_back(operand(0).sizes[as_index(dim)]);
    require(kept == result().sizes, "result", "the operand's sizes less the reduced dims");
  }

  void check(const View& view) const {
    require(result().dtype == operand(0).dtype, "result", "the operand's dtype");
    switch (view.kind) {
    case ViewKind::permute:
      return check_permute(ints(1));
    case ViewKind::reshape:
      require(ints(1) == result().sizes, "result", "the sizes in its operand");
      return require(numel(result().sizes) == numel(operand(0).sizes), "result", "as many elements as the operand");
    case ViewKind::expand:
      return check_expand();
    case ViewKind::slice:
      return check_slice(literal(1), literal(2), literal(3));
    }
  }

  void check_permute(const Dims& order) const {
    Dims sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) require(sorted[i] == std::int64_t(i), "dims", "a permutation");
    require(order.size() == operand(0).sizes.size(), "dims", "one for each dim of the operand");
    for (std::size_t i = 0; i < order.size(); ++i)
      require(result().sizes[i] == operand(0).sizes[as_index(order[i])], "result", "the operand's sizes permuted");
  }

  void check_expand() const {
    require(ints(1) == result().sizes, "result", "the sizes in its operand");
    require(result().rank() == operand(0).rank(), "result", "the operand's rank");
    for (std::size_t i = 0; i < result().sizes.size(); ++i)
      require(operand(0).sizes[i] == result().sizes[i] || operand(0).sizes[i] == 1, "result",
              "larger than the operand only where that has size 1");
  }

  void check_slice(std::int64_t dim, std::int64_t start, std::int64_t step) const {
    require(dim >= 0 && dim < operand(0).rank(), "dim", "a dim of the operand");
    Dims sizes = operand(0).sizes;
    const std::int64_t size = result().sizes.size() == sizes.size() ? result().sizes[as_index(dim)] : -1;
    const std::int64_t last = start + step * (size - 1);
    const bool inside =
        size == 0 || (start >= 0 && start < sizes[as_index(dim)] && last >= 0 && last < sizes[as_index(dim)]);
    sizes[as_index(dim)] = size;
    require(sizes == result().sizes && inside, "result", "a part of the operand along one dim");
  }

  void check(const Cat&) const {
    const Operand::List* list = node_.operands.at(0).list();
    if (!list) fail("has no list of tensors");
    const std::size_t dim = as_index(literal(1));
    std::int64_t joined = 0;
    for (const Operand& element : *list) {
      Dims sizes = graph_.tensor(*element.value()).sizes;
      require(sizes.size() == result().sizes.size() && dim < sizes.size(), "operand", "of the result's rank");
      joined += sizes[dim];
      sizes[dim] = result().sizes[dim];
      require(sizes == result().sizes, "operand", "of the result's sizes but for the joined dim");
    }
    require(joined == result().sizes[dim], "result", "the sum of the operands along the joined dim");
  }

  void check(const Creation& creation) const {
    if (creation.kind == CreationKind::arange) require(result().rank() == 1, "result", "of one dim");
  }
  void check(const Composite&) const {}
  void check(const Scalar&) const { fail("is evaluated on the host and has no place in a typed graph"); }

  void check_layout(Value value) const {
    const TensorType& type = graph_.tensor(value);
    require(type.sizes.size() == type.strides.size(), "result", "with a stride for each dim");
    const bool negative = std::any_of(type.sizes.begin(), type.sizes.end(), [](std::int64_t size) { return size < 0; });
    require(!negative, "result", "of non-negative sizes");
  }

  [[nodiscard]] static std::size_t as_index(std::int64_t dim) { return static_cast<std::size_t>(dim); }
  [[nodiscard]] const TensorType& result() const { return graph_.tensor(node_.results.at(0)); }
  [[nodiscard]] const TensorType& operand(std::size_t i) const {
    const Value* value = i < node_.operands.size() ? node_.operands[i].value() : nullptr;
    if (!value) fail("operand " + std::to_string(i) + " is not a tensor");
    return graph_.tensor(*value);
  }
  [[nodiscard]] std::int64_t literal(std::size_t i) const {
    const auto* value = i < node_.operands.size() ? std::get_if<std::int64_t>(&node_.operands[i].held) : nullptr;
    if (!value) fail("operand " + std::to_string(i) + " is not a literal int");
    return *value;
  }
  [[nodiscard]] Dims ints(std::size_t i) const {
    const Operand::List* list = i < node_.operands.size() ? node_.operands[i].list() : nullptr;
    if (!list) fail("operand " + std::to_string(i) + " is not a list of ints");
    Dims values;
    for (const Operand& element : *list) values.push_back(std::get<std::int64_t>(element.held));
    return values;
  }

  void require(bool holds, std::string_view what, std::string_view expected) const {
    if (!holds) fail(std::string(what) + " is not " + std::string(expected));
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw InternalError("node " + std::to_string(index_) + ": " + std::string(node_.op->name) + ": " + message);
  }

  const Graph& graph_;
  const Node& node_;
  std::size_t index_;
};

bool is_typed(const Graph& graph) {
  return std::all_of(graph.nodes().begin(), graph.nodes().end(), [&](const Node& node) {
    return std::all_of(node.results.begin(), node.results.end(),
                       [&](Value value) { return std::holds_alternative<TensorType>(graph.type(value)); });
  });
}

}  // namespace

void verify(const Graph& graph) {
  if (!is_typed(graph)) return;  // region form: add() has checked all that is known
  for (std::size_t i = 0; i < graph.nodes().size(); ++i) NodeCheck(graph, graph.nodes()[i], i).run();
}

DType compute_dtype(const Graph& graph, const Node& node) {
  const DType result = graph.tensor(node.results.at(0)).dtype;
  if (const auto* reduction = std::get_if<Reduction>(&node.op->body)) {
    const bool index = reduction->kind == ReductionKind::argmax || reduction->kind == ReductionKind::argmin;
    return index ? compute_dtype(graph.tensor(*node.operands.at(0).value()).dtype) : compute_dtype(result);
  }
  if (node.op->promotion != Promotion::Predicate) return compute_dtype(result);
  // infer() has cast operands whose common dtype depends on a default dtype other than f32.
  return compute_dtype(common_dtype({graph, *node.op, node.operands, DType::f32, Place{}}));
}

}  // namespace torchweld::graph
