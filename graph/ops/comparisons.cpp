#include "graph/ops/rows.h"

namespace torchweld::graph {
namespace {

using enum Promotion;

constexpr Op kRows[] = {
    {"aten::eq.Scalar", Predicate, Expr{"$0 == $1"}},
    {"aten::eq.Tensor", Predicate, Expr{"$0 == $1"}},
    {"aten::ge.Scalar", Predicate, Expr{"$0 >= $1"}},
    {"aten::ge.Tensor", Predicate, Expr{"$0 >= $1"}},
    {"aten::gt.Scalar", Predicate, Expr{"$0 > $1"}},
    {"aten::gt.Tensor", Predicate, Expr{"$0 > $1"}},
    {"aten::isfinite", Predicate, Expr{"tw_not(tw_or(tw_isnan($0), tw_isinf($0)))"}},
    {"aten::isinf", Predicate, Expr{"tw_isinf($0)"}},
    {"aten::isnan", Predicate, Expr{"tw_isnan($0)"}},
    {"aten::isneginf", Predicate, Expr{"tw_and(tw_isinf($0), $0 < T(0))"}},
    {"aten::isposinf", Predicate, Expr{"tw_and(tw_isinf($0), $0 > T(0))"}},
    {"aten::le.Scalar", Predicate, Expr{"$0 <= $1"}},
    {"aten::le.Tensor", Predicate, Expr{"$0 <= $1"}},
    {"aten::logical_and", Predicate, Expr{"tw_and($0, $1)"}},
    {"aten::logical_not", Predicate, Expr{"tw_not($0)"}},
    {"aten::logical_or", Predicate, Expr{"tw_or($0, $1)"}},
    {"aten::logical_xor", Predicate, Expr{"tw_xor($0, $1)"}},
    {"aten::lt.Scalar", Predicate, Expr{"$0 < $1"}},
    {"aten::lt.Tensor", Predicate, Expr{"$0 < $1"}},
    {"aten::ne.Scalar", Predicate, Expr{"$0 != $1"}},
    {"aten::ne.Tensor", Predicate, Expr{"$0 != $1"}},
    {"aten::where.Scalar", Branches, Expr{"tw_select($0, $1, $2)"}},
    {"aten::where.ScalarOther", Branches, Expr{"tw_select($0, $1, $2)"}},
    {"aten::where.ScalarSelf", Branches, Expr{"tw_select($0, $1, $2)"}},
    {"aten::where.self", Branches, Expr{"tw_select($0, $1, $2)"}},
};
static_assert(well_formed(kRows), "rows are sorted by name and call functions of graph/functions.h");

}  // namespace

std::span<const Op> comparison_rows() { return kRows; }

}  // namespace torchweld::graph
