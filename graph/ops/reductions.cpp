#include "graph/builder.h"
#include "graph/ops/composites.h"
#include "graph/ops/rows.h"

namespace torchweld::graph {
namespace {

/// A reduction in one of TorchScript's forms, read into what it means.
struct Form {
  Dims dims;  ///< sorted
  bool keep_dims = false;
  std::optional<DType> dtype;  ///< asked for
};

Dims all_dims(std::int64_t rank) {
  Dims dims;
  for (std::int64_t dim = 0; dim < rank; ++dim) dims.push_back(dim);
  return dims;
}

/// op(x, dtype), or op(x, dims, keepdim, dtype); where an op has no dtype operand the forms end before it.
Form form_of(const Arguments& arguments, bool has_dtype) {
  const std::int64_t rank = arguments.tensor(0).rank();
  const std::size_t trailing = has_dtype ? 1 : 0;
  Form form;
  if (arguments.size() == 1 + trailing) {
    form.dims = all_dims(rank);
  } else {
    form.dims = arguments.dims_to_reduce(1, rank);
    form.keep_dims = arguments.boolean(2);
  }
  if (has_dtype) form.dtype = arguments.dtype(arguments.size() - 1);
  return form;
}

Value reduce_form(Builder& b, ReductionKind kind, Value x, const Form& form) {
  return form.keep_dims ? b.reduce_keeping_dims(kind, x, form.dims) : b.reduce(kind, x, form.dims);
}

/// A 16-bit or other result from a value in the compute dtype, in the form's sizes.
Value finish(Builder& b, const Arguments& arguments, Value value) {
  return b.reshape(b.cast(value, arguments.result().dtype), arguments.result().sizes);
}

// ---- sum, prod: integers are summed as i64

template <ReductionKind kind>
std::vector<TensorType> infer_sum(const Arguments& arguments) {
  const Form form = form_of(arguments, true);
  const TensorType& x = arguments.tensor(0);
  const DType dtype = form.dtype.value_or(is_integral(x.dtype) ? DType::i64 : x.dtype);
  return {reduced_result(x, dtype, form.dims, form.keep_dims)};
}

template <ReductionKind kind>
std::vector<Value> decompose_sum(Builder& b, const Arguments& arguments) {
  const Value x = b.to_compute(b.cast(arguments.value(0), arguments.result().dtype));
  return {b.cast(reduce_form(b, kind, x, form_of(arguments, true)), arguments.result().dtype)};
}

// ---- mean

std::vector<TensorType> infer_mean(const Arguments& arguments) {
  const Form form = form_of(arguments, true);
  const TensorType& x = arguments.tensor(0);
  const DType dtype = form.dtype.value_or(x.dtype);
  if (!is_floating(dtype)) arguments.eager_refuses("mean of " + std::string(name_of(dtype)));
  return {reduced_result(x, dtype, form.dims, form.keep_dims)};
}

std::vector<Value> decompose_mean(Builder& b, const Arguments& arguments) {
  const Form form = form_of(arguments, true);
  const Value x = b.to_compute(b.cast(arguments.value(0), arguments.result().dtype));
  const auto count = static_cast<double>(reduced_count(b.sizes(x), form.dims));
  return {b.cast(b.div(reduce_form(b, ReductionKind::sum, x, form), count), arguments.result().dtype)};
}

// ---- amax, amin, max, min, any, all

void check_not_empty(const Arguments& arguments, const Dims& dims) {
  if (reduced_count(arguments.tensor(0).sizes, dims) == 0) arguments.eager_refuses("a reduction of no elements");
}

std::vector<TensorType> infer_extreme(const Arguments& arguments) {
  const Form form = form_of(arguments, false);
  check_not_empty(arguments, form.dims);
  return {reduced_result(arguments.tensor(0), arguments.tensor(0).dtype, form.dims, form.keep_dims)};
}

std::vector<TensorType> infer_any(const Arguments& arguments) {
  const Form form = form_of(arguments, false);
  const TensorType& x = arguments.tensor(0);
  const DType dtype = x.dtype == DType::u8 ? DType::u8 : DType::b8;  // u8 stays, for old code that has it for bool
  return {reduced_result(x, dtype, form.dims, form.keep_dims)};
}

template <ReductionKind kind>
std::vector<Value> decompose_extreme(Builder& b, const Arguments& arguments) {
  return {reduce_form(b, kind, arguments.value(0), form_of(arguments, false))};
}

template <ReductionKind kind>
std::vector<Value> decompose_any(Builder& b, const Arguments& arguments) {
  const Value truth = reduce_form(b, kind, b.cast(arguments.value(0), DType::b8), form_of(arguments, false));
  return {b.cast(truth, arguments.result().dtype)};
}

// ---- argmax(x, dim, keepdim), max.dim(x, dim, keepdim)

/// Without a dim, the index counts elements in row-major order.
std::vector<TensorType> infer_argmax(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  if (x.dtype == DType::b8) arguments.eager_refuses("dtype bool");
  Dims dims;
  if (arguments.is_none(1))
    dims = all_dims(x.rank());
  else if (x.rank() > 0)
    dims.push_back(static_cast<std::int64_t>(arguments.dim(1, x.rank())));
  check_not_empty(arguments, dims);
  return {reduced_result(x, DType::i64, dims, arguments.boolean(2))};
}

template <ReductionKind kind>
std::vector<Value> decompose_argmax(Builder& b, const Arguments& arguments) {
  Value x = arguments.value(0);
  std::int64_t dim = 0;
  if (arguments.is_none(1) || b.tensor(x).rank() == 0)
    x = b.reshape(x, {numel(b.sizes(x))});
  else
    dim = static_cast<std::int64_t>(arguments.dim(1, b.tensor(x).rank()));
  return {b.reshape(b.reduce(kind, x, {dim}), arguments.result().sizes)};
}

std::vector<TensorType> infer_max_dim(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  const std::size_t dim = arguments.dim(1, x.rank());
  const Dims dims = x.rank() == 0 ? Dims{} : Dims{static_cast<std::int64_t>(dim)};
  check_not_empty(arguments, dims);
  const bool keep_dims = arguments.boolean(2);
  return {reduced_result(x, x.dtype, dims, keep_dims), reduced_result(x, DType::i64, dims, keep_dims)};
}

template <ReductionKind extreme, ReductionKind index>
std::vector<Value> decompose_max_dim(Builder& b, const Arguments& arguments) {
  Value x = arguments.value(0);
  if (b.tensor(x).rank() == 0) x = b.reshape(x, {1});
  const Dims dims{static_cast<std::int64_t>(arguments.dim(1, b.tensor(x).rank()))};
  return {b.reshape(b.reduce(extreme, x, dims), arguments.result(0).sizes),
          b.reshape(b.reduce(index, x, dims), arguments.result(1).sizes)};
}

// ---- var, std: (x, unbiased), .dim (x, dims, unbiased, keepdim), .correction (x, dims, correction, keepdim)

struct VarianceForm {
  Dims dims;
  bool keep_dims = false;
  double correction = 1;
};

VarianceForm variance_form(const Arguments& arguments) {
  const std::int64_t rank = arguments.tensor(0).rank();
  VarianceForm form;
  if (arguments.size() == 2) {
    form.dims = all_dims(rank);
    form.correction = arguments.boolean(1) ? 1 : 0;
  } else {
    form.dims = arguments.dims_to_reduce(1, rank);
    form.correction = arguments.is_none(2) ? 1 : arguments.number(2);
    form.keep_dims = arguments.boolean(3);
  }
  return form;
}

template <std::size_t results>
std::vector<TensorType> infer_variance(const Arguments& arguments) {
  const VarianceForm form = variance_form(arguments);
  const TensorType& x = arguments.tensor(0);
  if (!is_floating(x.dtype)) arguments.eager_refuses("variance of " + std::string(name_of(x.dtype)));
  return std::vector<TensorType>(results, reduced_result(x, x.dtype, form.dims, form.keep_dims));
}

template <bool root, bool with_mean>
std::vector<Value> decompose_variance(Builder& b, const Arguments& arguments) {
  const VarianceForm form = variance_form(arguments);
  const Moments moments = moments_keeping_dims(b, b.to_compute(arguments.value(0)), form.dims, form.correction);
  const Value spread = root ? b.pointwise("aten::sqrt", {moments.variance}) : moments.variance;
  std::vector<Value> values{finish(b, arguments, spread)};
  if (with_mean) values.push_back(finish(b, arguments, moments.mean));
  return values;
}

// ---- aminmax(x, dim, keepdim)

Dims aminmax_dims(const Arguments& arguments) {
  return arguments.is_none(1) ? all_dims(arguments.tensor(0).rank())
                              : arguments.dims_to_reduce(1, arguments.tensor(0).rank());
}

std::vector<TensorType> infer_aminmax(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  const Dims dims = aminmax_dims(arguments);
  check_not_empty(arguments, dims);
  const bool keep_dims = arguments.boolean(2);
  return std::vector<TensorType>(2, reduced_result(x, x.dtype, dims, keep_dims));
}

std::vector<Value> decompose_aminmax(Builder& b, const Arguments& arguments) {
  const Value x = arguments.value(0);
  const Dims dims = aminmax_dims(arguments);
  return {b.reshape(b.reduce(ReductionKind::min, x, dims), arguments.result(0).sizes),
          b.reshape(b.reduce(ReductionKind::max, x, dims), arguments.result(1).sizes)};
}

using enum Promotion;
using enum ReductionKind;

template <ReductionKind kind>
constexpr Composite kSum{infer_sum<kind>, decompose_sum<kind>};
template <ReductionKind kind>
constexpr Composite kExtreme{infer_extreme, decompose_extreme<kind>};
template <ReductionKind kind>
constexpr Composite kAny{infer_any, decompose_any<kind>};
template <ReductionKind kind>
constexpr Composite kArgmax{infer_argmax, decompose_argmax<kind>};
constexpr Composite kMean{infer_mean, decompose_mean};
constexpr Composite kVariance{infer_variance<1>, decompose_variance<false, false>};
constexpr Composite kDeviation{infer_variance<1>, decompose_variance<true, false>};
constexpr Composite kDeviationAndMean{infer_variance<2>, decompose_variance<true, true>};
constexpr Composite kVarianceAndMean{infer_variance<2>, decompose_variance<false, true>};

constexpr Op kRows[] = {
    {"aten::all", Same, kAny<all>},
    {"aten::all.dim", Same, kAny<all>},
    {"aten::all.dims", Same, kAny<all>},
    {"aten::amax", Same, kExtreme<max>},
    {"aten::amin", Same, kExtreme<min>},
    {"aten::aminmax", Same, Composite{infer_aminmax, decompose_aminmax}},
    {"aten::any", Same, kAny<any>},
    {"aten::any.dim", Same, kAny<any>},
    {"aten::any.dims", Same, kAny<any>},
    {"aten::argmax", Same, kArgmax<argmax>},
    {"aten::argmin", Same, kArgmax<argmin>},
    {"aten::max", Same, kExtreme<max>},
    {"aten::max.dim", Same, Composite{infer_max_dim, decompose_max_dim<max, argmax>}},
    {"aten::mean", Same, kMean},
    {"aten::mean.dim", Same, kMean},
    {"aten::min", Same, kExtreme<min>},
    {"aten::min.dim", Same, Composite{infer_max_dim, decompose_max_dim<min, argmin>}},
    {"aten::prod", Same, kSum<prod>},
    {"aten::prod.dim_int", Same, kSum<prod>},
    {"aten::std", Same, kDeviation},
    {"aten::std.correction", Same, kDeviation},
    {"aten::std.dim", Same, kDeviation},
    {"aten::std_mean", Same, kDeviationAndMean},
    {"aten::std_mean.correction", Same, kDeviationAndMean},
    {"aten::std_mean.dim", Same, kDeviationAndMean},
    {"aten::sum", Same, kSum<sum>},
    {"aten::sum.dim_IntList", Same, kSum<sum>},
    {"aten::var", Same, kVariance},
    {"aten::var.correction", Same, kVariance},
    {"aten::var.dim", Same, kVariance},
    {"aten::var_mean", Same, kVarianceAndMean},
    {"aten::var_mean.correction", Same, kVarianceAndMean},
    {"aten::var_mean.dim", Same, kVarianceAndMean},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> reduction_rows() { return kRows; }

}  // namespace torchweld::graph
