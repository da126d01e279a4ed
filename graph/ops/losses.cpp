#include "graph/builder.h"
#include "graph/layout.h"
#include "graph/ops/composites.h"
#include "graph/ops/rows.h"
#include "graph/pointwise.h"
#include "graph/promotion.h"

/// Losses of two tensors, element by element. 16-bit values are computed in f32 and rounded once, where eager rounds
/// between its steps.
namespace torchweld::graph {
namespace {

/// TorchScript's codes of at::Reduction.
enum : std::int64_t { kNone = 0, kMean = 1, kSum = 2 };

Dims all_dims(std::int64_t rank) {
  Dims dims;
  for (std::int64_t dim = 0; dim < rank; ++dim) dims.push_back(dim);
  return dims;
}

std::int64_t reduction_of(const Arguments& arguments, std::size_t i) {
  const std::int64_t reduction = arguments.integer(i);
  if (reduction < kNone || reduction > kSum) arguments.refuse("op_form", "a reduction of another kind");
  return reduction;
}

/// The loss of each element, `type`, reduced as operand `i` says.
TensorType reduced_loss(const Arguments& arguments, std::size_t i, const TensorType& type) {
  return reduction_of(arguments, i) == kNone ? type : contiguous_result(type, type.dtype, {});
}

/// The dtype and sizes that input and target meet in.
TensorType loss_type(const Arguments& arguments) {
  ResultDType dtype(arguments.default_dtype());
  const std::vector<const TensorType*> tensors{&arguments.tensor(0), &arguments.tensor(1)};
  for (const TensorType* type : tensors) dtype.add(*type);
  if (!is_floating(*dtype.get())) arguments.refuse("op_form", "dtype " + std::string(name_of(*dtype.get())));
  return pointwise_result(arguments, *dtype.get(), tensors, false);
}

Value finish(Builder& b, const Arguments& arguments, std::size_t i, Value loss) {
  const std::int64_t reduction = reduction_of(arguments, i);
  if (reduction != kNone) {
    const Dims dims = all_dims(b.tensor(loss).rank());
    const auto count = static_cast<double>(numel(b.sizes(loss)));
    loss = b.reduce(ReductionKind::sum, loss, dims);
    if (reduction == kMean) loss = b.div(loss, count);
  }
  return b.cast(loss, arguments.result().dtype);
}

Value operand_in_compute(Builder& b, const Arguments& arguments, std::size_t i) {
  return b.to_compute(arguments.value(i));
}

// ---- mse_loss(x, target, reduction), l1_loss, smooth_l1_loss(x, target, reduction, beta), huber_loss(.., delta)

std::vector<TensorType> infer_loss(const Arguments& arguments) {
  return {reduced_loss(arguments, 2, loss_type(arguments))};
}

Value difference_of_operands(Builder& b, const Arguments& arguments) {
  const Value x = operand_in_compute(b, arguments, 0);
  const Value target = operand_in_compute(b, arguments, 1);
  return b.sub(x, target);
}

std::vector<Value> decompose_mse(Builder& b, const Arguments& arguments) {
  const Value difference = difference_of_operands(b, arguments);
  return {finish(b, arguments, 2, b.mul(difference, difference))};
}

std::vector<Value> decompose_l1(Builder& b, const Arguments& arguments) {
  const Value difference = difference_of_operands(b, arguments);
  return {finish(b, arguments, 2, b.pointwise("aten::abs", {difference}))};
}

/// With a threshold, which must be known: eager takes other ways for 0 and refuses what is negative.
std::vector<TensorType> infer_smooth_loss(const Arguments& arguments) {
  const double threshold = arguments.number(3);
  if (!(threshold > 0)) arguments.refuse("op_form", "a threshold that is not positive");
  return infer_loss(arguments);
}

std::vector<Value> decompose_smooth_l1(Builder& b, const Arguments& arguments) {
  return {finish(b, arguments, 2,
                 b.pointwise("torchweld::smooth_l1", {operand_in_compute(b, arguments, 0),
                                                      operand_in_compute(b, arguments, 1), arguments.operand(3)}))};
}

std::vector<Value> decompose_huber(Builder& b, const Arguments& arguments) {
  return {finish(b, arguments, 2,
                 b.pointwise("torchweld::huber", {operand_in_compute(b, arguments, 0),
                                                  operand_in_compute(b, arguments, 1), arguments.operand(3)}))};
}

// ---- binary_cross_entropy_with_logits(x, target, weight, pos_weight, reduction)

void check_weight(const Arguments& arguments, std::size_t i, const TensorType& loss) {
  if (arguments.is_none(i)) return;
  const std::vector<const TensorType*> tensors{&loss, &arguments.tensor(i)};
  const std::optional<Dims> sizes = broadcast_sizes(tensors);
  if (!sizes || *sizes != loss.sizes || arguments.tensor(i).dtype != loss.dtype)
    arguments.refuse("op_form", "a weight of " + to_text(Type(arguments.tensor(i))));
}

std::vector<TensorType> infer_logits_loss(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  const TensorType* target = &arguments.tensor(1);
  if (x.sizes != target->sizes || x.dtype != target->dtype || x.device != target->device || !is_floating(x.dtype))
    arguments.refuse("op_form", "input and target differ in sizes or dtype");
  if (numel(x.sizes) == 0) arguments.refuse("op_form", "a loss of no elements");
  const TensorType loss = pointwise_result(arguments, x.dtype, {&target, 1}, true);
  check_weight(arguments, 2, loss);
  check_weight(arguments, 3, loss);
  return {reduced_loss(arguments, 4, loss)};
}

/// (1 - target) x - log_sigmoid(x) ((pos_weight - 1) target + 1)
std::vector<Value> decompose_logits_loss(Builder& b, const Arguments& arguments) {
  const Value x = operand_in_compute(b, arguments, 0);
  const Value target = operand_in_compute(b, arguments, 1);
  Value log_sigmoid = b.pointwise("torchweld::log_sigmoid", {x});
  if (!arguments.is_none(3)) {
    const Value scaled = b.mul(b.sub(operand_in_compute(b, arguments, 3), 1), target);
    log_sigmoid = b.mul(log_sigmoid, b.add(scaled, 1));
  }
  Value loss = b.sub(b.mul(b.sub(1, target), x), log_sigmoid);
  if (!arguments.is_none(2)) loss = b.mul(loss, operand_in_compute(b, arguments, 2));
  return {finish(b, arguments, 4, loss)};
}

// ---- kl_div(x, target, reduction, log_target)

/// Eager subtracts target * input, or scales target - input, by something laid out as the target is.
std::vector<TensorType> infer_kl(const Arguments& arguments) {
  TensorType loss = loss_type(arguments);
  const TensorType& target = arguments.tensor(1);
  if (arguments.tensor(0).sizes != target.sizes) arguments.refuse("op_form", "sizes differ");
  TensorType entropy = loss;
  entropy.strides = pointwise_strides(loss.sizes, std::vector<const TensorType*>{&target}, false);
  TensorType cross = loss;
  cross.strides = pointwise_strides(loss.sizes, std::vector<const TensorType*>{&target, &arguments.tensor(0)}, false);
  loss.strides = pointwise_strides(loss.sizes, std::vector<const TensorType*>{&entropy, &cross}, false);
  return {reduced_loss(arguments, 2, loss)};
}

std::vector<Value> decompose_kl(Builder& b, const Arguments& arguments) {
  const Value x = operand_in_compute(b, arguments, 0);
  const Value target = operand_in_compute(b, arguments, 1);
  if (arguments.boolean(3)) {
    const Value probability = b.pointwise("aten::exp", {target});
    return {finish(b, arguments, 2, b.mul(probability, b.sub(target, x)))};
  }
  const Value entropy = b.pointwise("aten::xlogy.Tensor", {target, target});
  return {finish(b, arguments, 2, b.sub(entropy, b.mul(target, x)))};
}

using enum Promotion;

constexpr Op kRows[] = {
    {"aten::binary_cross_entropy_with_logits", Common, Composite{infer_logits_loss, decompose_logits_loss}},
    {"aten::huber_loss", Common, Composite{infer_smooth_loss, decompose_huber}},
    {"aten::kl_div", Common, Composite{infer_kl, decompose_kl}},
    {"aten::l1_loss", Common, Composite{infer_loss, decompose_l1}},
    {"aten::mse_loss", Common, Composite{infer_loss, decompose_mse}},
    {"aten::smooth_l1_loss", Common, Composite{infer_smooth_loss, decompose_smooth_l1}},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> loss_rows() { return kRows; }

}  // namespace torchweld::graph
