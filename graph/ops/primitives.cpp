#include "graph/ops/rows.h"

namespace torchweld::graph {
namespace {

using enum Promotion;

/// What decompositions need beside the pointwise ops of TorchScript.
constexpr Op kRows[] = {
    {"torchweld::add", Common, Expr{"$0 + $1"}},
    {"torchweld::addcdiv", Common, Expr{"$0 + $3 * $1 / $2", Accepts::floats}},
    {"torchweld::all", Same, Reduction{ReductionKind::all}},
    {"torchweld::any", Same, Reduction{ReductionKind::any}},
    {"torchweld::arange", Same, Creation{CreationKind::arange}},
    {"torchweld::argmax", Same, Reduction{ReductionKind::argmax}},
    {"torchweld::argmin", Same, Reduction{ReductionKind::argmin}},
    {"torchweld::cast", Cast, Expr{"$0"}},
    {"torchweld::cat", Common, Cat{}},
    {"torchweld::expand", Same, View{ViewKind::expand}},
    {"torchweld::floor_div", Common, Expr{"tw_floor_div($0, $1)", Accepts::no_bool}},
    {"torchweld::fmod", Common, Expr{"tw_fmod($0, $1)", Accepts::no_bool}},
    {"torchweld::full", Cast, Creation{CreationKind::full}},
    {"torchweld::gelu_erf", Same,
     Expr{"$0 * T(0.5) * (T(1) + tw_erf($0 * T(0.70710678118654752440)))", Accepts::floats}},
    {"torchweld::gelu_tanh", Same,
     Expr{"T(0.5) * $0 * (T(1) + tw_tanh(T(0.79788456080286535588) * ($0 + T(0.044715) * $0 * $0 * $0)))",
          Accepts::floats}},
    {"torchweld::glu", Same, Expr{"$0 * tw_sigmoid($1)", Accepts::floats}},
    {"torchweld::hardtanh", Same, Expr{"tw_min(tw_max($0, $1), $2)", Accepts::no_bool}},
    {"torchweld::huber", Common,
     Expr{"tw_select(tw_abs($0 - $1) <= $2, T(0.5) * ($0 - $1) * ($0 - $1), $2 * (tw_abs($0 - $1) - T(0.5) * $2))",
          Accepts::floats}},
    {"torchweld::log_sigmoid", Same, Expr{"tw_min($0, T(0)) - tw_log1p(tw_exp(-tw_abs($0)))", Accepts::floats}},
    {"torchweld::max", Same, Reduction{ReductionKind::max}},
    {"torchweld::min", Same, Reduction{ReductionKind::min}},
    {"torchweld::nan_to_num", Same,
     Expr{"tw_select(tw_isnan($0), $1, tw_select(tw_isinf($0), tw_select($0 > T(0), $2, $3), $0))", Accepts::floats}},
    {"torchweld::permute", Same, View{ViewKind::permute}},
    {"torchweld::prelu", Same, Expr{"tw_select($0 > T(0), $0, $1 * $0)", Accepts::floats}},
    {"torchweld::prod", Same, Reduction{ReductionKind::prod}},
    {"torchweld::remainder", Common, Expr{"tw_remainder($0, $1)", Accepts::no_bool}},
    {"torchweld::reshape", Same, View{ViewKind::reshape}},
    {"torchweld::round", Same, Expr{"$0"}},
    {"torchweld::slice", Same, View{ViewKind::slice}},
    {"torchweld::smooth_l1", Common,
     Expr{"tw_select(tw_abs($0 - $1) < $2, T(0.5) * ($0 - $1) * ($0 - $1) / $2, tw_abs($0 - $1) - T(0.5) * $2)",
          Accepts::floats}},
    {"torchweld::sub", Common, Expr{"$0 - $1", Accepts::no_bool}},
    {"torchweld::sum", Same, Reduction{ReductionKind::sum}},
    {"torchweld::trunc_div", Common, Expr{"tw_trunc_div($0, $1)", Accepts::no_bool}},
};
static_assert(well_formed(kRows), "rows are sorted by name and call functions of graph/functions.h");

}  // namespace

std::span<const Op> primitive_rows() { return kRows; }

}  // namespace torchweld::graph
