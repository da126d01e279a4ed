#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "graph/graph.h"

namespace torchweld::graph {

/// How the result dtype of a pointwise op follows from its operands (ATen's rules: c10::promoteTypes over three
/// categories, dimensioned tensors before 0-dim tensors before numbers).
enum class Promotion : std::uint8_t {
  Same,       ///< the dtype of operand 0
  Common,     ///< the promoted dtype of all tensors and of numbers in the first two operands; a later number (alpha,
              ///< value) does not take part, and must not be of a higher category
  ToFloat,    ///< Common, integers to the default dtype
  Predicate,  ///< computed in the common dtype, result bool
  Branches,   ///< `where`, masked_fill: operand 0 (or the mask) does not take part
  Cast,       ///< the result type says it
};

/// What eager has a kernel for: a condition on the common dtype of a pointwise op.
enum class Accepts : std::uint8_t {
  all,
  no_bool,
  no_bool_operand,  ///< nor among the first two operands
  floats,
  equal_floats,  ///< tensors that have one float dtype before promotion
  integers,      ///< and bool
  whole,         ///< integers without bool
};

/// A pointwise op: an expression over $0 $1 ... (operands, each converted to the node's compute dtype) that calls
/// functions of the preludes (graph/functions.h). Same text for every target.
struct Expr {
  std::string_view text;
  Accepts accepts = Accepts::all;
};

/// One more than the largest n of a `$n` in `text`.
constexpr std::size_t operands_named_in(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '$') continue;
    const auto named = static_cast<std::size_t>(text[i + 1] - '0') + 1;
    count = named > count ? named : count;
  }
  return count;
}

enum class ReductionKind : std::uint8_t { sum, prod, max, min, any, all, argmax, argmin };

/// Reduces operand 0 over the dims in operand 1 (sorted, non-negative); reduced dims are dropped.
/// max and min propagate NaN; the accumulator has the compute dtype of the result.
struct Reduction {
  ReductionKind kind;
};

enum class ViewKind : std::uint8_t { permute, reshape, expand, slice };

/// An index map. Operands, all literal ints:
///   permute(x, [dims])   reshape(x, [sizes])   expand(x, [sizes]) (same rank, only dims of size 1 grow)
///   slice(x, dim, start, step)  (the size is in the result type; step may be negative: flip)
struct View {
  ViewKind kind;
};

/// A function of the index alone: full(value), arange(start, step) along one dim.
enum class CreationKind : std::uint8_t { full, arange };
struct Creation {
  CreationKind kind;
};

/// cat along a dim: selection by index. Operands: [tensors], dim.
struct Cat {};

class Arguments;  // graph/arguments.h: the operands of one node, read in the form that an op expects
class Builder;    // graph/builder.h: adds typed primitive nodes, inferring each result type

/// The type of each result of a node, as eager gives it. Refuses (graph/arguments.h) what eager refuses.
using InferTypes = std::vector<TensorType> (*)(const Arguments&);
/// Rewrites one typed node into primitives. Returns one value per result of the node.
using Decompose = std::vector<Value> (*)(Builder&, const Arguments&);
/// Anything made of primitives: softmax and norms, and also every view, reduction or cast in its TorchScript form.
struct Composite {
  InferTypes infer;
  Decompose decompose;
  bool open_numbers = false;  ///< its numbers only scale values: they may be unknown while planning
  bool views = false;         ///< its results may be the memory of operand 0, as eager gives them
};

/// Evaluated on the host while planning: size arithmetic, list construction, dtype and device queries. Returns one
/// operand per result.
using Evaluate = std::vector<Operand> (*)(const Arguments&);
struct Scalar {
  Evaluate evaluate;
};

using Body = std::variant<Expr, Reduction, View, Creation, Cat, Composite, Scalar>;

struct Op {
  std::string_view name;  ///< qualified name and overload, as TorchScript spells them ("aten::add.Tensor"); primitives
                          ///< of our own are "torchweld::permute", "torchweld::sum", "torchweld::cast", ...
  Promotion promotion;
  Body body;  ///< its alternative is the op's class
};

/// The row for `name`, or null. Rows have static lifetime: compare ops by address.
[[nodiscard]] const Op* find_op(std::string_view name);
/// All rows, sorted by name.
[[nodiscard]] std::span<const Op> ops();

[[nodiscard]] inline bool is_pointwise(const Op& op) { return std::holds_alternative<Expr>(op.body); }
[[nodiscard]] inline bool is_reduction(const Op& op) { return std::holds_alternative<Reduction>(op.body); }
[[nodiscard]] inline bool is_view(const Op& op) { return std::holds_alternative<View>(op.body); }
[[nodiscard]] inline bool is_composite(const Op& op) { return std::holds_alternative<Composite>(op.body); }
[[nodiscard]] inline bool is_host_scalar(const Op& op) { return std::holds_alternative<Scalar>(op.body); }

}  // namespace torchweld::graph
