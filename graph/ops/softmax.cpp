#include "graph/builder.h"
#include "graph/layout.h"
#include "graph/ops/composites.h"
#include "graph/ops/rows.h"

namespace torchweld::graph {
namespace {

/// softmax.int(x, dim, dtype) or _softmax(x, dim, half_to_float).
std::vector<TensorType> infer_softmax(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  (void)arguments.dim(1, x.rank());
  DType dtype = x.dtype;
  if (std::holds_alternative<bool>(arguments.operand(2).held))
    dtype = arguments.boolean(2) ? DType::f32 : dtype;
  else
    dtype = arguments.dtype(2).value_or(dtype);
  if (!is_floating(dtype)) arguments.eager_refuses("dtype " + std::string(name_of(dtype)));
  return {contiguous_result(x, dtype, x.sizes)};
}

struct Shifted {
  Value x;     ///< minus the largest of its row, so that no exponential overflows
  Value exps;  ///< of that
  Value sum;   ///< of those
};

/// A dtype operand converts before anything else; 16-bit values are then computed in f32.
Shifted shift_by_max(Builder& b, const Arguments& arguments) {
  const Value x = b.to_compute(b.cast(arguments.value(0), arguments.result().dtype));
  const Dims dims = arguments.dims_to_reduce(1, b.tensor(x).rank());
  const Value shifted = b.sub(x, b.reduce_keeping_dims(ReductionKind::max, x, dims));
  const Value exps = b.pointwise("aten::exp", {shifted});
  return {shifted, exps, b.reduce_keeping_dims(ReductionKind::sum, exps, dims)};
}

std::vector<Value> decompose_softmax(Builder& b, const Arguments& arguments) {
  const Shifted row = shift_by_max(b, arguments);
  return {b.cast(b.div(row.exps, row.sum), arguments.result().dtype)};
}

std::vector<Value> decompose_log_softmax(Builder& b, const Arguments& arguments) {
  const Shifted row = shift_by_max(b, arguments);
  return {b.cast(b.sub(row.x, b.pointwise("aten::log", {row.sum})), arguments.result().dtype)};
}

constexpr Composite kSoftmax{infer_softmax, decompose_softmax};
constexpr Composite kLogSoftmax{infer_softmax, decompose_log_softmax};

constexpr Op kRows[] = {
    {"aten::_log_softmax", Promotion::Same, kLogSoftmax},
    {"aten::_softmax", Promotion::Same, kSoftmax},
    {"aten::log_softmax.int", Promotion::Same, kLogSoftmax},
    {"aten::softmax.int", Promotion::Same, kSoftmax},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> softmax_rows() { return kRows; }

}  // namespace torchweld::graph
