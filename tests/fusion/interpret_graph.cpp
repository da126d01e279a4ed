#include "fusion/interpret_graph.h"

#include <algorithm>
#include <stdexcept>

#include "fusion/memory_view.h"
#include "fusion/scalar_expression.h"

namespace torchweld::testing {

using graph::Dims;
using graph::Graph;
using graph::Node;
using graph::TensorType;
using graph::Value;

namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// All indices of `sizes` in row-major order.
std::vector<Dims> indices_of(const Dims& sizes) {
  std::vector<Dims> indices;
  for (std::int64_t element = 0; element < graph::numel(sizes); ++element) {
    Dims index(sizes.size());
    std::int64_t rest = element;
    for (std::size_t dim = sizes.size(); dim-- > 0;) {
      index[dim] = rest % sizes[dim];
      rest /= sizes[dim];
    }
    indices.push_back(index);
  }
  return indices;
}

class Interpretation {
public:
  Interpretation(const Graph& graph, const Memory& memory) : graph_(graph) {
    for (const Value input : graph.inputs()) {
      const auto* type = std::get_if<TensorType>(&graph.type(input));
      values_[input] = type == nullptr ? memory.at(input) : elements_of(*type, memory.at(input));
    }
  }

  Memory run() {
    for (const Node& node : graph_.nodes()) {
      std::vector<double> elements;
      for (const Dims& index : indices_of(sizes(node.results[0])))
        elements.push_back(std::visit([&](const auto& body) { return element(node, body, index); }, node.op->body));
      values_[node.results[0]] = std::move(elements);
    }
    return std::move(values_);
  }

private:
  [[nodiscard]] const Dims& sizes(Value value) const { return graph_.tensor(value).sizes; }

  /// An element of a value that broadcasts to `index`.
  [[nodiscard]] double broadcast(Value value, const Dims& index) const {
    const auto* type = std::get_if<TensorType>(&graph_.type(value));
    if (type == nullptr) return values_.at(value).at(0);
    std::int64_t place = 0;
    for (std::size_t dim = 0; dim < type->sizes.size(); ++dim) {
      const std::int64_t in = index[index.size() - type->sizes.size() + dim];
      place = place * type->sizes[dim] + (type->sizes[dim] == 1 ? 0 : in);
    }
    return values_.at(value).at(at(place));
  }
  [[nodiscard]] double number(const graph::Operand& operand, const Dims& index) const {
    if (const Value* value = operand.value()) return broadcast(*value, index);
    if (const auto* integer = std::get_if<std::int64_t>(&operand.held)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&operand.held)) return *real;
    const auto* truth = std::get_if<bool>(&operand.held);
    return truth != nullptr && *truth ? 1 : 0;
  }

  double element(const Node& node, const graph::Expr& expression, const Dims& index) const {
    std::vector<double> inputs;
    for (const graph::Operand& operand : node.operands)
      inputs.push_back(converted(number(operand, index), graph::compute_dtype(graph_, node)));
    return converted(evaluate(expression.text, inputs), graph_.tensor(node.results[0]).dtype);
  }
  double element(const Node& node, const graph::Reduction& reduction, const Dims& index) const {
    const Value source = fusion::source_of(node);
    const Dims dims = fusion::ints_of(node.operands[1]);
    Dims extents;
    for (const std::int64_t dim : dims) extents.push_back(sizes(source)[at(dim)]);
    std::vector<double> elements;
    for (const Dims& reduced_index : indices_of(extents)) {
      Dims full;
      std::size_t kept = 0;
      std::size_t gone = 0;
      for (std::int64_t dim = 0; dim < graph_.tensor(source).rank(); ++dim) {
        const bool is_reduced = std::find(dims.begin(), dims.end(), dim) != dims.end();
        full.push_back(is_reduced ? reduced_index[gone++] : index[kept++]);
      }
      elements.push_back(broadcast(source, full));
    }
    return reduced(reduction.kind, elements);
  }
  double element(const Node& node, const graph::View& view, const Dims& index) const {
    const Value source = fusion::source_of(node);
    Dims from = index;
    if (view.kind == graph::ViewKind::permute) {
      const Dims order = fusion::ints_of(node.operands[1]);
      for (std::size_t dim = 0; dim < order.size(); ++dim) from[at(order[dim])] = index[dim];
    } else if (view.kind == graph::ViewKind::slice) {
      auto& sliced = from[at(fusion::int_of(node.operands[1]))];
      sliced = fusion::int_of(node.operands[2]) + fusion::int_of(node.operands[3]) * sliced;
    } else if (view.kind == graph::ViewKind::reshape) {
      std::int64_t place = 0;
      for (std::size_t dim = 0; dim < index.size(); ++dim) place = place * sizes(node.results[0])[dim] + index[dim];
      return values_.at(source).at(at(place));
    }
    return broadcast(source, from);
  }
  double element(const Node& node, const graph::Creation& creation, const Dims& index) const {
    if (creation.kind == graph::CreationKind::full) return number(node.operands[0], index);
    return number(node.operands[0], index) + number(node.operands[1], index) * static_cast<double>(index[0]);
  }
  double element(const Node& node, const graph::Cat&, const Dims& index) const {
    Dims from = index;
    auto& place = from[at(fusion::int_of(node.operands[1]))];
    for (const Value value : graph::values_of(node)) {
      const std::int64_t size = sizes(value)[at(fusion::int_of(node.operands[1]))];
      if (place < size) return broadcast(value, from);
      place -= size;
    }
    return 0;
  }
  double element(const Node&, const graph::Composite&, const Dims&) const { throw std::logic_error("not primitive"); }
  double element(const Node&, const graph::Scalar&, const Dims&) const { throw std::logic_error("not primitive"); }

  const Graph& graph_;
  Memory values_;
};

}  // namespace

std::vector<double> elements_of(const TensorType& type, const std::vector<double>& buffer) {
  std::vector<double> elements;
  for (const Dims& index : indices_of(type.sizes)) {
    std::int64_t place = 0;
    for (std::size_t dim = 0; dim < index.size(); ++dim) place += index[dim] * type.strides[dim];
    elements.push_back(buffer.at(at(place)));
  }
  return elements;
}

Memory interpret(const Graph& primitive, const Memory& memory) { return Interpretation(primitive, memory).run(); }

}  // namespace torchweld::testing
