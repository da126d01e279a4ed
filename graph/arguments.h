#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/op.h"
#include "graph/passes.h"

namespace torchweld::graph {

/// Leaves infer() or lower() with a reason. It is thrown and caught inside graph/ only.
struct Refused {
  Unsupported why;
};

/// The operands of one node while it is typed or lowered, read in the form that its op expects. A form that the op does
/// not have, or a number that is not known yet, refuses with "op_form".
class Arguments {
public:
  /// `results` are the node's types when it has been typed already, else empty.
  Arguments(const Graph& graph, const Op& op, std::span<const Operand> operands, DType default_dtype, Place place,
            std::span<const Type> results = {});

  /// The same call of another op, on the first `count` operands.
  [[nodiscard]] Arguments applied(const Op& op, std::size_t count) const {
    return {graph_, op, operands_.first(std::min(count, operands_.size())), default_dtype_, place_};
  }

  /// A call of another op on operands of the same graph, which outlive it.
  [[nodiscard]] Arguments applied(const Op& op, std::span<const Operand> operands) const {
    return {graph_, op, operands, default_dtype_, place_};
  }

  [[nodiscard]] const Op& op() const { return op_; }
  [[nodiscard]] std::size_t size() const { return operands_.size(); }
  [[nodiscard]] std::span<const Operand> operands() const { return operands_; }
  [[nodiscard]] const Operand& operand(std::size_t i) const;
  [[nodiscard]] DType default_dtype() const { return default_dtype_; }
  [[nodiscard]] const Place& place() const { return place_; }
  /// Operand `i` names the device of `device` that the region's tensors are on.
  [[nodiscard]] bool names_device(std::size_t i, Device device) const;
  /// The type of result `i` of a node that has been typed.
  [[nodiscard]] const TensorType& result(std::size_t i = 0) const;

  [[nodiscard]] bool is_none(std::size_t i) const { return operand(i).is_none(); }
  [[nodiscard]] bool is_tensor(std::size_t i) const;
  [[nodiscard]] Value value(std::size_t i) const;  ///< a tensor
  [[nodiscard]] const TensorType& tensor(std::size_t i) const;
  [[nodiscard]] const TensorType& tensor(Value value) const { return graph_.tensor(value); }
  [[nodiscard]] std::vector<Value> values(std::size_t i) const;  ///< a list of tensors
  [[nodiscard]] std::int64_t integer(std::size_t i) const;
  [[nodiscard]] bool boolean(std::size_t i) const;
  [[nodiscard]] double number(std::size_t i) const;  ///< a literal int, float or bool
  [[nodiscard]] std::string_view text(std::size_t i) const;
  [[nodiscard]] Dims ints(std::size_t i) const;  ///< a list of ints; one int stands for a list of one
  [[nodiscard]] std::optional<DType>
  dtype(std::size_t i) const;  ///< None: empty. A dtype we lack refuses with "dtype".
  [[nodiscard]] bool boolean_or(std::size_t i, bool otherwise) const;  ///< `otherwise` for None

  /// A dim of a tensor of `rank` dims, non-negative. Out of range refuses as eager does.
  [[nodiscard]] std::size_t dim(std::size_t i, std::int64_t rank) const;
  /// Dims to reduce, sorted; None and an empty list mean all.
  [[nodiscard]] Dims dims_to_reduce(std::size_t i, std::int64_t rank) const;

  /// The dtype of a number (literal or open); empty when `operand` is none.
  [[nodiscard]] std::optional<DType> number_dtype(const Operand& operand) const;
  /// The tensor type of `operand`; null when it is no tensor.
  [[nodiscard]] const TensorType* tensor_type(const Operand& operand) const;

  [[noreturn]] void refuse(std::string reason, const std::string& what) const;
  /// Eager raises for these operands.
  [[noreturn]] void eager_refuses(const std::string& what) const { refuse("eager_refuses", what); }

private:
  [[noreturn]] void unexpected(std::size_t i, std::string_view expected) const;

  const Graph& graph_;
  const Op& op_;
  std::span<const Operand> operands_;
  DType default_dtype_;
  Place place_;
  std::span<const Type> results_;
};

/// A dim counted from either end, non-negative; empty when out of range. A 0-dim tensor counts as one dim.
[[nodiscard]] std::optional<std::size_t> wrap_dim(std::int64_t dim, std::int64_t rank);

}  // namespace torchweld::graph
