#include <cmath>
#include <limits>

#include "graph/builder.h"
#include "graph/ops/composites.h"
#include "graph/ops/rows.h"

/// Norms of vectors, and logsumexp.
namespace torchweld::graph {
namespace {

using enum ReductionKind;

/// A norm in one of TorchScript's forms, read into what it means.
struct Norm {
  double order = 2;
  Dims dims;  ///< sorted
  bool keep_dims = false;
  std::optional<DType> dtype;  ///< asked for
};

/// linalg_vector_norm(x, ord, dims, keepdim, dtype); norm.Scalar(x, p), norm.ScalarOpt_dtype(x, p, dtype),
/// norm.ScalarOpt_dim(x, p, dims, keepdim), norm.ScalarOpt_dim_dtype(x, p, dims, keepdim, dtype)
Norm norm_of(const Arguments& arguments) {
  const std::int64_t rank = arguments.tensor(0).rank();
  Norm norm;
  if (!arguments.is_none(1)) norm.order = arguments.number(1);
  if (arguments.size() > 3) {
    norm.dims = arguments.dims_to_reduce(2, rank);
    norm.keep_dims = arguments.boolean(3);
  } else {
    for (std::int64_t dim = 0; dim < rank; ++dim) norm.dims.push_back(dim);
  }
  if (arguments.size() == 3 || arguments.size() == 5) norm.dtype = arguments.dtype(arguments.size() - 1);
  return norm;
}

std::vector<TensorType> infer_norm(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  const Norm norm = norm_of(arguments);
  if (!is_floating(x.dtype)) arguments.eager_refuses("norm of " + std::string(name_of(x.dtype)));
  if (norm.dtype && (!is_floating(*norm.dtype) || size_of(*norm.dtype) < size_of(x.dtype)))
    arguments.refuse("op_form", "a norm in a narrower dtype");
  const bool extreme = std::isinf(norm.order) || norm.order < 0;
  if (extreme && reduced_count(x.sizes, norm.dims) == 0) arguments.refuse("op_form", "an extreme of no elements");
  return {reduced_result(x, norm.dtype.value_or(x.dtype), norm.dims, norm.keep_dims)};
}

Value sum_of_powers(Builder& b, Value x, double order, const Dims& dims) {
  const auto total = [&](Value powers) { return b.reduce_keeping_dims(sum, powers, dims); };
  if (order == 0) return total(b.cast(b.pointwise("aten::ne.Scalar", {x, 0.0}), b.dtype(x)));
  if (order == 2) return b.pointwise("aten::sqrt", {total(b.mul(x, x))});
  const Value magnitude = b.pointwise("aten::abs", {x});
  if (order == 1) return total(magnitude);
  if (std::isinf(order)) return b.reduce_keeping_dims(order > 0 ? max : min, magnitude, dims);
  const Value powers = b.pointwise("aten::pow.Tensor_Tensor", {magnitude, order});
  return b.pointwise("aten::pow.Tensor_Tensor", {total(powers), 1 / order});
}

std::vector<Value> decompose_norm(Builder& b, const Arguments& arguments) {
  const Norm norm = norm_of(arguments);
  const Value x = b.to_compute(b.cast(arguments.value(0), arguments.result().dtype));
  const Value result = b.cast(sum_of_powers(b, x, norm.order, norm.dims), arguments.result().dtype);
  return {b.reshape(result, arguments.result().sizes)};
}

// ---- logsumexp(x, dims, keepdim)

std::vector<TensorType> infer_logsumexp(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  const DType dtype = is_floating(x.dtype) ? x.dtype : arguments.default_dtype();
  return {reduced_result(x, dtype, arguments.dims_to_reduce(1, x.rank()), arguments.boolean(2))};
}

/// Shifted by the largest of each row, unless that is infinite.
std::vector<Value> decompose_logsumexp(Builder& b, const Arguments& arguments) {
  const Value x = b.to_compute(b.cast(arguments.value(0), arguments.result().dtype));
  const Dims dims = arguments.dims_to_reduce(1, b.tensor(x).rank());
  const Value largest = b.reduce_keeping_dims(max, x, dims);
  const Value infinite = b.pointwise("aten::isinf", {largest});
  const Value shift = b.pointwise("aten::where.ScalarSelf", {infinite, 0.0, largest});
  const Value exps = b.pointwise("aten::exp", {b.sub(x, shift)});
  const Value result = b.add(b.pointwise("aten::log", {b.reduce_keeping_dims(sum, exps, dims)}), shift);
  return {b.reshape(b.cast(result, arguments.result().dtype), arguments.result().sizes)};
}

constexpr Composite kNorm{infer_norm, decompose_norm};

constexpr Op kRows[] = {
    {"aten::linalg_vector_norm", Promotion::Same, kNorm},
    {"aten::logsumexp", Promotion::Same, Composite{infer_logsumexp, decompose_logsumexp}},
    {"aten::norm.Scalar", Promotion::Same, kNorm},
    {"aten::norm.ScalarOpt_dim", Promotion::Same, kNorm},
    {"aten::norm.ScalarOpt_dim_dtype", Promotion::Same, kNorm},
    {"aten::norm.ScalarOpt_dtype", Promotion::Same, kNorm},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> vector_norm_rows() { return kRows; }

}  // namespace torchweld::graph
