#include "graph/ops/rows.h"

namespace torchweld::graph {
namespace {

using enum Promotion;
using enum Accepts;

constexpr Op kRows[] = {
    {"aten::__and__.Scalar", Common, Expr{"$0 & $1", integers}},
    {"aten::__and__.Tensor", Common, Expr{"$0 & $1", integers}},
    {"aten::__or__.Scalar", Common, Expr{"$0 | $1", integers}},
    {"aten::__or__.Tensor", Common, Expr{"$0 | $1", integers}},
    {"aten::__xor__.Scalar", Common, Expr{"$0 ^ $1", integers}},
    {"aten::__xor__.Tensor", Common, Expr{"$0 ^ $1", integers}},
    {"aten::abs", Same, Expr{"tw_abs($0)", no_bool}},
    {"aten::acos", ToFloat, Expr{"tw_acos($0)"}},
    {"aten::add.Scalar", Common, Expr{"$0 + $2 * $1"}},
    {"aten::add.Tensor", Common, Expr{"$0 + $2 * $1"}},
    {"aten::addcmul", Common, Expr{"$0 + $3 * $1 * $2"}},
    {"aten::asin", ToFloat, Expr{"tw_asin($0)"}},
    {"aten::atan", ToFloat, Expr{"tw_atan($0)"}},
    {"aten::atan2", ToFloat, Expr{"tw_atan2($0, $1)"}},
    {"aten::bitwise_and.Scalar", Common, Expr{"$0 & $1", integers}},
    {"aten::bitwise_and.Tensor", Common, Expr{"$0 & $1", integers}},
    {"aten::bitwise_not", Same, Expr{"tw_bit_not($0)", integers}},
    {"aten::bitwise_or.Scalar", Common, Expr{"$0 | $1", integers}},
    {"aten::bitwise_or.Tensor", Common, Expr{"$0 | $1", integers}},
    {"aten::bitwise_xor.Scalar", Common, Expr{"$0 ^ $1", integers}},
    {"aten::bitwise_xor.Tensor", Common, Expr{"$0 ^ $1", integers}},
    {"aten::ceil", Same, Expr{"tw_ceil($0)", no_bool}},
    {"aten::cos", ToFloat, Expr{"tw_cos($0)"}},
    {"aten::cosh", ToFloat, Expr{"tw_cosh($0)"}},
    {"aten::div.Scalar", ToFloat, Expr{"$0 / $1"}},
    {"aten::div.Tensor", ToFloat, Expr{"$0 / $1"}},
    {"aten::erf", ToFloat, Expr{"tw_erf($0)"}},
    {"aten::erfc", ToFloat, Expr{"tw_erfc($0)"}},
    {"aten::exp", ToFloat, Expr{"tw_exp($0)"}},
    {"aten::expm1", ToFloat, Expr{"tw_expm1($0)"}},
    {"aten::floor", Same, Expr{"tw_floor($0)", no_bool}},
    {"aten::fmod.Scalar", Common, Expr{"tw_fmod($0, $1)", no_bool}},
    {"aten::fmod.Tensor", Common, Expr{"tw_fmod($0, $1)", no_bool}},
    {"aten::frac", Same, Expr{"$0 - tw_trunc($0)", floats}},
    {"aten::lerp.Scalar", Common,
     Expr{"tw_select(tw_abs($2) < T(0.5), $0 + $2 * ($1 - $0), $1 - ($1 - $0) * (T(1) - $2))", equal_floats}},
    {"aten::log", ToFloat, Expr{"tw_log($0)"}},
    {"aten::log10", ToFloat, Expr{"tw_log10($0)"}},
    {"aten::log1p", ToFloat, Expr{"tw_log1p($0)"}},
    {"aten::log2", ToFloat, Expr{"tw_log2($0)"}},
    {"aten::max.other", Common, Expr{"tw_max($0, $1)"}},
    {"aten::maximum", Common, Expr{"tw_max($0, $1)"}},
    {"aten::min.other", Common, Expr{"tw_min($0, $1)"}},
    {"aten::minimum", Common, Expr{"tw_min($0, $1)"}},
    {"aten::mul.Scalar", Common, Expr{"$0 * $1"}},
    {"aten::mul.Tensor", Common, Expr{"$0 * $1"}},
    {"aten::neg", Same, Expr{"-$0", no_bool}},
    {"aten::pow.Scalar", Common, Expr{"tw_pow($0, $1)", no_bool}},
    {"aten::pow.Tensor_Tensor", Common, Expr{"tw_pow($0, $1)", no_bool}},
    {"aten::reciprocal", ToFloat, Expr{"T(1) / $0"}},
    {"aten::remainder.Scalar", Common, Expr{"tw_remainder($0, $1)", no_bool}},
    {"aten::remainder.Tensor", Common, Expr{"tw_remainder($0, $1)", no_bool}},
    {"aten::round", Same, Expr{"tw_round($0)", no_bool}},
    {"aten::rsqrt", ToFloat, Expr{"tw_rsqrt($0)"}},
    {"aten::rsub.Scalar", Common, Expr{"$1 - $2 * $0", no_bool_operand}},
    {"aten::rsub.Tensor", Common, Expr{"$1 - $2 * $0", no_bool_operand}},
    {"aten::sign", Same, Expr{"tw_sign($0)"}},
    {"aten::sin", ToFloat, Expr{"tw_sin($0)"}},
    {"aten::sinh", ToFloat, Expr{"tw_sinh($0)"}},
    {"aten::sqrt", ToFloat, Expr{"tw_sqrt($0)"}},
    {"aten::sub.Scalar", Common, Expr{"$0 - $2 * $1", no_bool_operand}},
    {"aten::sub.Tensor", Common, Expr{"$0 - $2 * $1", no_bool_operand}},
    {"aten::tan", ToFloat, Expr{"tw_tan($0)"}},
    {"aten::trunc", Same, Expr{"tw_trunc($0)", no_bool}},
};
static_assert(well_formed(kRows), "rows are sorted by name and call functions of graph/functions.h");

}  // namespace

std::span<const Op> arithmetic_rows() { return kRows; }

}  // namespace torchweld::graph
