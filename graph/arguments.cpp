#include "graph/arguments.h"

#include <algorithm>

#include "torchweld/error.h"

namespace torchweld::graph {

Arguments::Arguments(const Graph& graph, const Op& op, std::span<const Operand> operands, DType default_dtype,
                     Place place, std::span<const Type> results)
    : graph_(graph), op_(op), operands_(operands), default_dtype_(default_dtype), place_(place), results_(results) {}

const Operand& Arguments::operand(std::size_t i) const {
  if (i >= operands_.size()) refuse("op_form", "operand " + std::to_string(i) + " is missing");
  return operands_[i];
}

const TensorType& Arguments::result(std::size_t i) const {
  ensure(i < results_.size(), "a decomposition asks for results that its node has");
  return std::get<TensorType>(results_[i]);
}

const TensorType* Arguments::tensor_type(const Operand& operand) const {
  const Value* value = operand.value();
  return value ? std::get_if<TensorType>(&graph_.type(*value)) : nullptr;
}

bool Arguments::is_tensor(std::size_t i) const { return tensor_type(operand(i)) != nullptr; }

Value Arguments::value(std::size_t i) const {
  if (!is_tensor(i)) unexpected(i, "a tensor");
  return *operand(i).value();
}

const TensorType& Arguments::tensor(std::size_t i) const { return graph_.tensor(value(i)); }

std::vector<Value> Arguments::values(std::size_t i) const {
  const Operand::List* list = operand(i).list();
  if (!list) unexpected(i, "a list of tensors");
  std::vector<Value> values;
  for (const Operand& element : *list) {
    if (!tensor_type(element)) unexpected(i, "a list of tensors");
    values.push_back(*element.value());
  }
  return values;
}

std::int64_t Arguments::integer(std::size_t i) const {
  if (const auto* value = std::get_if<std::int64_t>(&operand(i).held)) return *value;
  unexpected(i, "an int");
}

bool Arguments::boolean(std::size_t i) const {
  if (const auto* value = std::get_if<bool>(&operand(i).held)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&operand(i).held)) return *value != 0;
  unexpected(i, "a bool");
}

bool Arguments::boolean_or(std::size_t i, bool otherwise) const { return is_none(i) ? otherwise : boolean(i); }

double Arguments::number(std::size_t i) const {
  const Operand& held = operand(i);
  if (const auto* value = std::get_if<double>(&held.held)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&held.held)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<bool>(&held.held)) return *value ? 1 : 0;
  unexpected(i, "a number");
}

bool Arguments::names_device(std::size_t i, Device device) const {
  if (device == Device::cuda && place_.is_current && text(i) == "cuda") return true;
  return text(i) == device_text(place_, device);
}

std::string_view Arguments::text(std::size_t i) const {
  if (const auto* value = std::get_if<std::string>(&operand(i).held)) return *value;
  unexpected(i, "a string");
}

Dims Arguments::ints(std::size_t i) const {
  const Operand::List* list = operand(i).list();
  if (!list) return {integer(i)};
  Dims values;
  for (const Operand& element : *list) {
    const auto* value = std::get_if<std::int64_t>(&element.held);
    if (!value) unexpected(i, "a list of ints");
    values.push_back(*value);
  }
  return values;
}

std::optional<DType> Arguments::dtype(std::size_t i) const {
  if (is_none(i)) return std::nullopt;
  const std::optional<DType> dtype = dtype_from_code(integer(i));
  if (!dtype) refuse("dtype", "dtype of code " + std::to_string(integer(i)));
  return dtype;
}

std::optional<std::size_t> wrap_dim(std::int64_t dim, std::int64_t rank) {
  const std::int64_t count = std::max<std::int64_t>(rank, 1);
  if (dim < -count || dim >= count) return std::nullopt;
  return static_cast<std::size_t>(dim < 0 ? dim + count : dim);
}

std::size_t Arguments::dim(std::size_t i, std::int64_t rank) const {
  const std::optional<std::size_t> dim = wrap_dim(integer(i), rank);
  if (!dim) eager_refuses("dim " + std::to_string(integer(i)) + " of " + std::to_string(rank) + " dims");
  return *dim;
}

Dims Arguments::dims_to_reduce(std::size_t i, std::int64_t rank) const {
  Dims dims = is_none(i) ? Dims{} : ints(i);
  if (dims.empty())
    for (std::int64_t dim = 0; dim < rank; ++dim) dims.push_back(dim);
  for (std::int64_t& dim : dims) {
    const std::optional<std::size_t> wrapped = wrap_dim(dim, rank);
    if (!wrapped) eager_refuses("dim " + std::to_string(dim) + " of " + std::to_string(rank) + " dims");
    dim = static_cast<std::int64_t>(*wrapped);
  }
  std::sort(dims.begin(), dims.end());
  if (std::adjacent_find(dims.begin(), dims.end()) != dims.end()) eager_refuses("a dim is reduced twice");
  if (rank == 0) dims.clear();
  return dims;
}

std::optional<DType> Arguments::number_dtype(const Operand& operand) const {
  if (std::holds_alternative<std::int64_t>(operand.held)) return DType::i64;
  if (std::holds_alternative<double>(operand.held)) return DType::f64;
  if (std::holds_alternative<bool>(operand.held)) return DType::b8;
  const Value* value = operand.value();
  const ScalarType* type = value ? std::get_if<ScalarType>(&graph_.type(*value)) : nullptr;
  if (!type) return std::nullopt;
  return type->dtype;
}

void Arguments::refuse(std::string reason, const std::string& what) const {
  throw Refused{{std::move(reason), std::string(op_.name) + ": " + what}};
}

void Arguments::unexpected(std::size_t i, std::string_view expected) const {
  refuse("op_form", "operand " + std::to_string(i) + " is not " + std::string(expected) + " known while planning");
}

}  // namespace torchweld::graph
