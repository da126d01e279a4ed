#include "graph/ops/rows.h"

namespace torchweld::graph {
namespace {

using enum Promotion;
using enum Accepts;

constexpr Op kRows[] = {
    {"aten::elu", Same, Expr{"tw_select($0 < T(0), tw_expm1($0 * $3) * ($1 * $2), $0 * $2)", floats}},
    {"aten::hardshrink", Same, Expr{"tw_select(tw_and($0 >= -$1, $0 <= $1), T(0), $0)", floats}},
    {"aten::hardsigmoid", Same, Expr{"tw_min(tw_max($0 + T(3), T(0)), T(6)) / T(6)", floats}},
    {"aten::hardswish", Same, Expr{"$0 * tw_min(tw_max($0 + T(3), T(0)), T(6)) / T(6)", floats}},
    {"aten::leaky_relu", Same, Expr{"tw_select($0 > T(0), $0, $0 * $1)", floats}},
    {"aten::mish", Same, Expr{"$0 * tw_tanh(tw_log1p(tw_exp($0)))", floats}},
    {"aten::relu", Same, Expr{"tw_max($0, T(0))", no_bool}},
    {"aten::relu6", Same, Expr{"tw_min(tw_max($0, T(0)), T(6))", no_bool}},
    {"aten::sigmoid", ToFloat, Expr{"tw_sigmoid($0)"}},
    {"aten::silu", Same, Expr{"$0 / (T(1) + tw_exp(-$0))", floats}},
    {"aten::softplus", Same, Expr{"tw_select($0 * $1 > $2, $0, tw_log1p(tw_exp($0 * $1)) / $1)", floats}},
    {"aten::softshrink", Same, Expr{"tw_select($0 > $1, $0 - $1, tw_select($0 < -$1, $0 + $1, $0 * T(0)))", floats}},
    {"aten::tanh", ToFloat, Expr{"tw_tanh($0)"}},
    {"aten::threshold", Same, Expr{"tw_select($0 <= $1, $2, $0)", no_bool}},
};
static_assert(well_formed(kRows), "rows are sorted by name and call functions of graph/functions.h");

}  // namespace

std::span<const Op> activation_rows() { return kRows; }

}  // namespace torchweld::graph
