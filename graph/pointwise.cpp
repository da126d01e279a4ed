#include "graph/pointwise.h"

#include <algorithm>

#include "graph/layout.h"
#include "graph/promotion.h"
#include "torchweld/error.h"

namespace torchweld::graph {
namespace {

/// Numbers after the first two operands (alpha, value) scale, they do not promote.
constexpr std::size_t kPromotingNumbers = 2;

bool takes_part(const Arguments& arguments, std::size_t i) {
  const Promotion promotion = arguments.op().promotion;
  if (promotion == Promotion::Same) return i == 0;
  if (promotion == Promotion::Branches) return i != 0;
  return i < kPromotingNumbers || arguments.is_tensor(i);
}

std::optional<DType> dtype_of(const Arguments& arguments, std::size_t i) {
  const TensorType* type = arguments.tensor_type(arguments.operand(i));
  return type ? type->dtype : arguments.number_dtype(arguments.operand(i));
}

void check_operands(const Arguments& arguments) {
  const std::size_t named = operands_named_in(std::get<Expr>(arguments.op().body).text);
  if (arguments.size() != named)
    arguments.refuse("op_form",
                     "has " + std::to_string(arguments.size()) + " operands, expected " + std::to_string(named));
  for (std::size_t i = 0; i < named; ++i)
    if (!dtype_of(arguments, i))
      arguments.refuse("op_form", "operand " + std::to_string(i) + " is neither a tensor nor a number");
}

bool is_accepted(const Arguments& arguments, DType dtype) {
  const auto is_bool = [&](std::size_t i) { return i < arguments.size() && dtype_of(arguments, i) == DType::b8; };
  const auto is_other = [&](const Operand& operand) {
    const TensorType* type = arguments.tensor_type(operand);
    return type != nullptr && type->dtype != dtype;
  };
  switch (std::get<Expr>(arguments.op().body).accepts) {
  case Accepts::all:
    return true;
  case Accepts::no_bool:
    return dtype != DType::b8;
  case Accepts::no_bool_operand:
    return !is_bool(0) && !is_bool(1);
  case Accepts::floats:
    return is_floating(dtype);
  case Accepts::equal_floats:
    return is_floating(dtype) && std::none_of(arguments.operands().begin(), arguments.operands().end(), is_other);
  case Accepts::integers:
    return is_integral(dtype);
  case Accepts::whole:
    return is_integral(dtype) && dtype != DType::b8;
  }
  return false;
}

void check_accepted(const Arguments& arguments, DType dtype) {
  if (!is_accepted(arguments, dtype)) arguments.eager_refuses("dtype " + std::string(name_of(dtype)));
  if (arguments.op().promotion != Promotion::Branches) return;
  const DType condition = arguments.tensor(0).dtype;
  if (condition == DType::u8) arguments.refuse("op_form", "a condition of u8");
  if (condition != DType::b8) arguments.eager_refuses("the condition is not bool");
}

void check_scaling_numbers(const Arguments& arguments, DType dtype) {
  if (arguments.op().promotion != Promotion::Common) return;
  for (std::size_t i = kPromotingNumbers; i < arguments.size(); ++i) {
    const std::optional<DType> number = arguments.number_dtype(arguments.operand(i));
    if (number && category_of(*number) > std::max(category_of(dtype), 1))
      arguments.eager_refuses("operand " + std::to_string(i) + " is a float, the tensors are integers");
    if (number == DType::b8 && dtype != DType::b8)
      arguments.eager_refuses("operand " + std::to_string(i) + " is a bool, the tensors are not");
  }
}

Device common_device(const Arguments& arguments, std::span<const TensorType* const> tensors) {
  const bool cuda =
      std::any_of(tensors.begin(), tensors.end(), [](const TensorType* type) { return type->device == Device::cuda; });
  const bool stray = cuda && std::any_of(tensors.begin(), tensors.end(), [](const TensorType* type) {
                       return type->device == Device::host && type->rank() > 0;
                     });
  if (stray) arguments.eager_refuses("tensors of two devices");
  return cuda ? Device::cuda : Device::host;
}

}  // namespace

DType common_dtype(const Arguments& arguments) {
  ResultDType result(arguments.default_dtype());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!takes_part(arguments, i)) continue;
    const Operand& operand = arguments.operand(i);
    if (const TensorType* type = arguments.tensor_type(operand))
      result.add(*type);
    else if (const std::optional<DType> number = arguments.number_dtype(operand))
      result.add_number(*number);
    else
      arguments.refuse("op_form", "operand " + std::to_string(i) + " is neither a tensor nor a number");
  }
  if (!result.get()) arguments.refuse("op_form", "no operand to take the dtype of");
  return *result.get();
}

TensorType pointwise_result(const Arguments& arguments, DType dtype, std::span<const TensorType* const> tensors,
                            bool among_numbers) {
  if (tensors.empty()) arguments.refuse("op_form", "no operand is a tensor");
  std::optional<Dims> sizes = broadcast_sizes(tensors);
  if (!sizes) arguments.eager_refuses("sizes do not broadcast");

  TensorType result{.dtype = dtype, .sizes = std::move(*sizes), .strides = {}};
  result.strides = pointwise_strides(result.sizes, tensors, among_numbers);
  result.device = common_device(arguments, tensors);
  return result;
}

TensorType infer_pointwise(const Arguments& arguments) {
  const Promotion promotion = arguments.op().promotion;
  check_operands(arguments);
  DType dtype = common_dtype(arguments);
  check_accepted(arguments, dtype);
  check_scaling_numbers(arguments, dtype);
  if (promotion == Promotion::Predicate) dtype = DType::b8;
  if (promotion == Promotion::ToFloat && is_integral(dtype)) dtype = arguments.default_dtype();

  std::vector<const TensorType*> tensors;
  bool among_numbers = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (const TensorType* type = arguments.tensor_type(arguments.operand(i)))
      tensors.push_back(type);
    else
      among_numbers |= promotion != Promotion::Same && takes_part(arguments, i);
  }
  return pointwise_result(arguments, dtype, tensors, among_numbers);
}

}  // namespace torchweld::graph
