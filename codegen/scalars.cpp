#include "codegen/scalars.h"

#include <algorithm>

#include "codegen/expression.h"
#include "codegen/text.h"
#include "torchweld/error.h"

namespace torchweld::codegen {
namespace {

using fusion::Statement;
using graph::DType;
using graph::ReductionKind;

std::string_view name_of(ReductionKind kind) {
  constexpr std::string_view kNames[] = {"sum", "prod", "max", "min", "any", "all", "argmax", "argmin"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string name_of(const Statement& statement, std::size_t i) {
  if (const auto* load = std::get_if<fusion::Load>(&statement.body)) return join('x', load->access);
  if (const auto* pointwise = std::get_if<fusion::Pointwise>(&statement.body))
    return join(identifier_from_op(pointwise->op->name), i);
  if (const auto* reduce = std::get_if<fusion::Reduce>(&statement.body)) return join(name_of(reduce->kind), i);
  return join(std::holds_alternative<fusion::Position>(statement.body) ? "position" : "choose", i);
}

/// The op rounds to its 16-bit dtype even where the value stays in a register.
bool rounds(const graph::Op& op, DType dtype) {
  static const graph::Op* const kRound = graph::find_op("torchweld::round");
  return (op.promotion == graph::Promotion::Cast || &op == kRound) && (dtype == DType::f16 || dtype == DType::bf16);
}

bool has_online_state(const LoopNest& nest, int reduction) {
  return std::any_of(nest.onlines.begin(), nest.onlines.end(),
                     [&](const OnlineSoftmax& online) { return online.max == reduction; });
}

bool finds_index(const Statement& statement) {
  const ReductionKind kind = std::get<fusion::Reduce>(statement.body).kind;
  return kind == ReductionKind::argmax || kind == ReductionKind::argmin;
}

}  // namespace

int state_words(const LoopNest& nest, int reduction) {
  const Statement& statement = nest.group->statements[static_cast<std::size_t>(reduction)];
  if (has_online_state(nest, reduction)) return 2;  // MaxSumExp
  if (finds_index(statement)) return 4;             // ArgMax, ArgMin: the value, padded, and a 64-bit index
  return graph::size_of(graph::compute_dtype(statement.compute)) == 8 ? 2 : 1;
}

Scalars::Scalars(const LoopNest& nest, Arguments& arguments, std::vector<bool> approximable,
                 const std::vector<bool>& used)
    : nest_(nest), arguments_(arguments), approximable_(std::move(approximable)),
      pointers_(nest.group->accesses.size()), numbers_(nest.steps.size()) {
  const fusion::Group& group = *nest.group;
  for (std::size_t i = 0; i < group.statements.size(); ++i) names_.push_back(codegen::name_of(group.statements[i], i));
  std::vector<bool> written(group.accesses.size(), false);
  for (const fusion::Store& store : group.stores) written[static_cast<std::size_t>(store.access)] = true;
  for (std::size_t i = 0; i < group.accesses.size(); ++i) {
    pointers_[i] = join(written[i] ? "out" : "in", i);
    if (used[i]) arguments.pointer(group.accesses[i], pointers_[i], written[i]);
  }
}

const Statement& Scalars::at(int statement) const {
  return nest_.group->statements[static_cast<std::size_t>(statement)];
}

std::string_view Scalars::type(int statement) const { return register_type(at(statement).dtype); }

DType Scalars::dtype_of(const fusion::Input& input, DType otherwise) const {
  const auto* index = std::get_if<fusion::StatementIndex>(&input);
  return index ? at(index->index).dtype : otherwise;
}

std::string Scalars::number(int statement, std::size_t n, const fusion::Number& value, DType as) {
  std::vector<std::string>& names = numbers_[static_cast<std::size_t>(statement)];
  if (names.size() <= n) names.resize(n + 1);
  if (names[n].empty()) names[n] = arguments_.number(value, as);
  return names[n];
}

std::string Scalars::operand(int statement, const fusion::Input& input, std::size_t n, DType as, const Place& place) {
  if (const auto* value = std::get_if<fusion::Number>(&input)) return number(statement, n, *value, as);
  const int index = std::get<fusion::StatementIndex>(input).index;
  return converted(place.value(index), at(index).dtype, as);
}

std::string Scalars::expression(int statement, const Place& place) {
  const Statement& of = at(statement);
  if (const auto* body = std::get_if<fusion::Pointwise>(&of.body)) return pointwise(statement, *body, place);
  if (const auto* body = std::get_if<fusion::Position>(&of.body)) return position(statement, *body, place);
  if (const auto* body = std::get_if<fusion::Choose>(&of.body)) return choose(statement, *body, place);
  throw InternalError("a load or a reduction is no expression");
}

std::string Scalars::pointwise(int statement, const fusion::Pointwise& body, const Place& place) {
  const Statement& of = at(statement);
  const DType compute = graph::compute_dtype(of.compute);
  const auto* expression = std::get_if<graph::Expr>(&body.op->body);
  ensure(expression != nullptr, "a pointwise statement has an op with an expression");
  const OperandText operand_text = [&](int n, bool is_condition) {
    const auto k = static_cast<std::size_t>(n);
    ensure(k < body.inputs.size(), "an expression names operands that its statement has");
    return operand(statement, body.inputs[k], k, is_condition ? dtype_of(body.inputs[k], compute) : compute, place);
  };
  const bool approximate = approximable_[static_cast<std::size_t>(statement)];
  std::string form = approximate ? approximate_form(expression->text) : std::string(expression->text);
  std::string text = print_expression(form, compute, operand_text);
  if (rounds(*body.op, of.dtype)) return join("round_to<", memory_type(of.dtype), ">(", text, ')');
  // Only a cast changes the dtype beyond what initialising the register does.
  const bool compares = of.dtype == DType::b8 && compute != DType::b8 && expression->text == "$0";
  return compares ? join("bool(", text, ')') : text;
}

std::string Scalars::position(int statement, const fusion::Position& body, const Place& place) {
  const DType dtype = at(statement).dtype;
  const DType exact = graph::is_floating(dtype) ? DType::f64 : DType::i64;
  const std::string start = number(statement, 0, body.start, exact), step = number(statement, 1, body.step, exact);
  return converted(join(start, " + ", step, " * ", memory_type(exact), '(', place.index(body.axis), ')'), exact, dtype);
}

std::string Scalars::choose(int statement, const fusion::Choose& body, const Place& place) {
  ensure(body.bounds.size() == body.inputs.size() + 1, "a choice has one bound more than inputs");
  const DType dtype = graph::compute_dtype(at(statement).dtype);
  const std::string index = place.index(body.axis);
  std::string text;
  for (std::size_t k = 0; k + 1 < body.inputs.size(); ++k) {
    const std::string bound = arguments_.integer(join(name(statement), "_bound", k + 1), body.bounds[k + 1], 4);
    text += join(index, " < ", bound, " ? ", operand(statement, body.inputs[k], k, dtype, place), " : ");
  }
  return text + operand(statement, body.inputs.back(), body.inputs.size() - 1, dtype, place);
}

std::string Scalars::guard(int access, const Place& place) {
  const auto& guard = nest_.group->accesses[static_cast<std::size_t>(access)].guard;
  if (!guard) return {};
  const std::string index = place.index(guard->axis);
  const std::string begin = arguments_.integer(pointer(access) + "_begin", guard->begin, 4);
  const std::string end = arguments_.integer(pointer(access) + "_end", guard->end, 4);
  return join(index, " >= ", begin, " && ", index, " < ", end);
}

std::string Scalars::load(int access, const std::string& element, const Place& place) {
  const DType dtype = nest_.group->accesses[static_cast<std::size_t>(access)].dtype;
  const bool converts = dtype == DType::f16 || dtype == DType::bf16;
  const std::string value = converts ? join("to_register(", element, ')') : element;
  const std::string condition = guard(access, place);
  return condition.empty() ? value : join(condition, " ? ", value, " : ", register_type(dtype), "(0)");
}

std::string Scalars::stored(int access, int statement, const std::string& value) const {
  const DType dtype = nest_.group->accesses[static_cast<std::size_t>(access)].dtype;
  const std::string text = converted(value, at(statement).dtype, dtype);
  return graph::compute_dtype(dtype) == dtype ? text : join("from_register<", memory_type(dtype), ">(", text, ')');
}

bool Scalars::is_online(int reduction) const { return has_online_state(nest_, reduction); }

bool Scalars::is_arg_reduction(int reduction) const { return finds_index(at(reduction)); }

std::string Scalars::state_type(int reduction) const {
  const auto& reduce = std::get<fusion::Reduce>(at(reduction).body);
  for (const OnlineSoftmax& online : nest_.onlines)
    if (online.max == reduction) {
      const int exponent = std::get<fusion::Reduce>(at(online.sum).body).input.index;
      return approximable_[static_cast<std::size_t>(exponent)] ? "MaxSumExp<Exp16>" : "MaxSumExp<ExactExp>";
    }
  constexpr std::string_view kStates[] = {"Sum", "Prod", "Max", "Min", "Any", "All", "ArgMax", "ArgMin"};
  const std::string_view state = kStates[static_cast<std::size_t>(reduce.kind)];
  if (reduce.kind == ReductionKind::any || reduce.kind == ReductionKind::all) return std::string(state);
  const DType over = is_arg_reduction(reduction) ? at(reduce.input.index).dtype : at(reduction).compute;
  return join(state, '<', register_type(over), '>');
}

std::string Scalars::pushed(int reduction, const Place& place, const std::string& flat_index) const {
  const auto& reduce = std::get<fusion::Reduce>(at(reduction).body);
  const DType from = at(reduce.input.index).dtype;
  const std::string value = place.value(reduce.input.index);
  if (is_arg_reduction(reduction)) return join(value, ", ", flat_index);
  const bool logical = reduce.kind == ReductionKind::any || reduce.kind == ReductionKind::all;
  return converted(value, from, logical ? DType::b8 : at(reduction).compute);
}

std::string Scalars::result(int reduction, std::string_view subscript) const {
  for (const OnlineSoftmax& online : nest_.onlines) {
    if (online.max == reduction) return join(state(online.max), subscript, ".max()");
    if (online.sum == reduction) return join(state(online.max), subscript, ".sum()");
  }
  return join(state(reduction), subscript, ".value()");
}

}  // namespace torchweld::codegen
