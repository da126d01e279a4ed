#pragma once

#include <string_view>
#include <vector>

#include "graph/op.h"

namespace torchweld::graph {

/// Adds typed primitive nodes to a graph and works out each result type. Decompositions are written with it, and tests
/// that need a primitive graph.
class Builder {
public:
  explicit Builder(Graph& graph, DType default_dtype = DType::f32) : graph_(graph), default_dtype_(default_dtype) {}

  /// Source line that the next nodes come from.
  void set_line(int line) { line_ = line; }
  [[nodiscard]] const TensorType& tensor(Value value) const { return graph_.tensor(value); }
  [[nodiscard]] const Dims& sizes(Value value) const { return graph_.tensor(value).sizes; }
  [[nodiscard]] DType dtype(Value value) const { return graph_.tensor(value).dtype; }

  /// A pointwise op by name; operands broadcast and promote as in eager.
  Value pointwise(std::string_view op, std::vector<Operand> operands);
  Value add(Operand a, Operand b) { return pointwise("torchweld::add", {std::move(a), std::move(b)}); }
  Value sub(Operand a, Operand b) { return pointwise("torchweld::sub", {std::move(a), std::move(b)}); }
  Value mul(Operand a, Operand b) { return pointwise("aten::mul.Tensor", {std::move(a), std::move(b)}); }
  Value div(Operand a, Operand b) { return pointwise("aten::div.Tensor", {std::move(a), std::move(b)}); }

  /// `x` itself when it has that dtype already.
  Value cast(Value x, DType dtype);
  /// cast() to the dtype that arithmetic on `x` is done in: f32 for 16-bit floats.
  Value to_compute(Value x);
  /// A node of its own with the value of `x`, laid out as `type`.
  Value copy(Value x, const TensorType& type);

  /// Reduces sorted, non-negative `dims` and drops them. No dims: `x` itself, except for argmax and argmin.
  Value reduce(ReductionKind kind, Value x, const Dims& dims);
  /// reduce() with each reduced dim kept with size 1, so that the result broadcasts over `x`.
  Value reduce_keeping_dims(ReductionKind kind, Value x, const Dims& dims);

  Value permute(Value x, const Dims& order);
  Value reshape(Value x, const Dims& sizes);
  /// Broadcasts to `sizes`, which may have more dims than `x`.
  Value expand(Value x, const Dims& sizes);
  Value slice(Value x, std::size_t dim, std::int64_t start, std::int64_t step, std::int64_t size);
  Value cat(const std::vector<Value>& values, std::size_t dim);
  Value full(Operand value, const TensorType& type);
  /// start + i * step along one dim.
  Value arange(Operand start, Operand step, const TensorType& type);

private:
  Value add_node(std::string_view op, std::vector<Operand> operands, TensorType type);

  Graph& graph_;
  DType default_dtype_;
  int line_ = -1;
};

}  // namespace torchweld::graph
