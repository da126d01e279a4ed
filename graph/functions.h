#pragma once

#include <array>
#include <string_view>

namespace torchweld::graph {

/// A function that expressions of the op table may call. Every prelude (codegen/prelude) defines each of them for
/// every compute dtype its domain names; names and arities are checked against the op table when it is compiled, and
/// against each target by the prelude tests.
struct Function {
  std::string_view name;
  int arity;
};

/// Beside these, expressions use + - * / with their usual meaning (`/` on floats only), the comparisons, & | ^ on
/// integers and bool, parentheses, operands `$n` and literals `T(0.5)`, where T is the node's compute dtype.
/// Integers wrap at the width of the compute dtype.
inline constexpr std::array kFunctions{
    // Floats.
    Function{"tw_exp", 1}, Function{"tw_expm1", 1}, Function{"tw_log", 1}, Function{"tw_log1p", 1},
    Function{"tw_log2", 1}, Function{"tw_log10", 1}, Function{"tw_sin", 1}, Function{"tw_cos", 1},
    Function{"tw_tan", 1}, Function{"tw_asin", 1}, Function{"tw_acos", 1}, Function{"tw_atan", 1},
    Function{"tw_sinh", 1}, Function{"tw_cosh", 1}, Function{"tw_tanh", 1}, Function{"tw_erf", 1},
    Function{"tw_erfc", 1}, Function{"tw_sqrt", 1}, Function{"tw_rsqrt", 1},  // 1 / sqrt(x)
    Function{"tw_sigmoid", 1},                                                // 1 / (1 + exp(-x))
    Function{"tw_asinh", 1}, Function{"tw_acosh", 1}, Function{"tw_atanh", 1}, Function{"tw_exp2", 1},
    Function{"tw_lgamma", 1},                             // log |gamma(x)|
    Function{"tw_atan2", 2},                              // angle of the point ($1, $0)
    Function{"tw_copysign", 2}, Function{"tw_hypot", 2},  // sqrt($0^2 + $1^2)
    // Floats and integers; rounding functions return an integer unchanged.
    Function{"tw_floor", 1}, Function{"tw_ceil", 1}, Function{"tw_trunc", 1}, Function{"tw_round", 1},  // half to even
    Function{"tw_abs", 1}, Function{"tw_sign", 1},     // sign of NaN is 0, as in eager
    Function{"tw_isnan", 1}, Function{"tw_isinf", 1},  // bool
    Function{"tw_max", 2}, Function{"tw_min", 2},      // NaN if either is
    Function{"tw_pow", 2},        // integers: exponentiation that wraps; a negative exponent: 1/x to 0
    Function{"tw_fmod", 2},       // sign of the dividend
    Function{"tw_remainder", 2},  // sign of the divisor, as in Python
    Function{"tw_floor_div", 2},  // floats: (a - fmod(a, b)) / b, corrected as in ATen and CPython
    Function{"tw_trunc_div", 2},  // floats: trunc(a / b)
    // Integers. A shift by a negative count, or by more than the bits there are, leaves 0 or the sign.
    Function{"tw_shift_left", 2}, Function{"tw_shift_right", 2},
    // Any dtype. The first operand of tw_select is a condition: bool, or a number compared with 0.
    Function{"tw_select", 3},  // $0 ? $1 : $2, only the chosen value counts (NaN in the other does not spread)
    Function{"tw_not", 1}, Function{"tw_and", 2}, Function{"tw_or", 2}, Function{"tw_xor", 2},  // logical; bool
    Function{"tw_bit_not", 1},  // ~x; on bool the logical not
};

/// The arity of `name`; -1 when there is no such function.
constexpr int arity_of(std::string_view name) {
  for (const Function& function : kFunctions)
    if (function.name == name) return function.arity;
  return -1;
}

}  // namespace torchweld::graph
