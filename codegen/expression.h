#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "graph/types.h"

namespace torchweld::codegen {

/// The text of an operand of an expression, in the expression's compute dtype. A condition keeps its own dtype.
using OperandText = std::function<std::string(int operand, bool is_condition)>;

/// An op table expression ("$0 + $2 * $1") as C++: operands in place of $n, the compute dtype in place of T. Integers
/// are wrapped where the expression has arithmetic, since C++ leaves their overflow undefined.
[[nodiscard]] std::string print_expression(std::string_view expression, graph::DType compute,
                                           const OperandText& operand);

/// The form for 16-bit results (prelude/approximate.cuh); empty when the expression has none.
[[nodiscard]] std::string approximate_form(std::string_view expression);

/// C++ name of a dtype in memory ("bf16") and of the register that holds it ("float").
[[nodiscard]] std::string_view memory_type(graph::DType dtype);
[[nodiscard]] std::string_view register_type(graph::DType dtype);

/// `text`, a register of dtype `from`, converted to a register of dtype `to` as eager converts.
[[nodiscard]] std::string converted(std::string text, graph::DType from, graph::DType to);

/// A valid identifier part made from an op's name: "mul" from "aten::mul.Tensor".
[[nodiscard]] std::string identifier_from_op(std::string_view op_name);

}  // namespace torchweld::codegen
