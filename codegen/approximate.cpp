#include "codegen/approximate.h"

#include "codegen/expression.h"

namespace torchweld::codegen {
namespace {

using graph::DType;

bool is_sixteen_bit(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }

/// Whether a relative error of an operand becomes the same relative error of the result.
bool keeps_relative_error(const fusion::Statement& statement) {
  if (statement.compute != DType::f32) return false;
  if (const auto* reduce = std::get_if<fusion::Reduce>(&statement.body))
    return reduce->kind == graph::ReductionKind::max || reduce->kind == graph::ReductionKind::min;
  if (std::holds_alternative<fusion::Choose>(statement.body)) return true;
  const auto* pointwise = std::get_if<fusion::Pointwise>(&statement.body);
  if (!pointwise || !graph::is_floating(statement.dtype)) return false;
  const auto* expression = std::get_if<graph::Expr>(&pointwise->op->body);
  return expression && (expression->text == "$0" || expression->text == "-$0" || expression->text == "$0 * $1" ||
                        expression->text == "$0 / $1" || expression->text.starts_with("tw_select($0, $1, $2)"));
}

/// A sum keeps it when all its terms have one sign: exponentials.
bool sums_exponentials(const fusion::Group& group, const fusion::Statement& statement) {
  const auto* reduce = std::get_if<fusion::Reduce>(&statement.body);
  if (!reduce || reduce->kind != graph::ReductionKind::sum || statement.compute != DType::f32) return false;
  const auto* pointwise =
      std::get_if<fusion::Pointwise>(&group.statements[static_cast<std::size_t>(reduce->input.index)].body);
  if (!pointwise) return false;
  const auto* expression = std::get_if<graph::Expr>(&pointwise->op->body);
  return expression && expression->text == "tw_exp($0)";
}

template <class Visit>
void for_each_input(const fusion::Statement& statement, Visit visit) {
  const auto visit_input = [&](const fusion::Input& input) {
    if (const auto* index = std::get_if<fusion::StatementIndex>(&input)) visit(static_cast<std::size_t>(index->index));
  };
  if (const auto* pointwise = std::get_if<fusion::Pointwise>(&statement.body))
    for (const fusion::Input& input : pointwise->inputs) visit_input(input);
  if (const auto* choose = std::get_if<fusion::Choose>(&statement.body))
    for (const fusion::Input& input : choose->inputs) visit_input(input);
  if (const auto* reduce = std::get_if<fusion::Reduce>(&statement.body)) visit_input(reduce->input);
}

}  // namespace

std::vector<bool> find_approximable(const fusion::Group& group) {
  // An error is harmless in a statement when it is in everything that uses the statement.
  std::vector<bool> harmless(group.statements.size(), true);
  for (const fusion::Store& store : group.stores)
    if (!is_sixteen_bit(group.accesses[static_cast<std::size_t>(store.access)].dtype))
      harmless[static_cast<std::size_t>(store.statement.index)] = false;
  for (std::size_t i = group.statements.size(); i-- > 0;) {
    const fusion::Statement& statement = group.statements[i];
    const bool passes_on = harmless[i] && (keeps_relative_error(statement) || sums_exponentials(group, statement));
    if (!passes_on) for_each_input(statement, [&](std::size_t input) { harmless[input] = false; });
  }
  std::vector<bool> approximable(group.statements.size(), false);
  for (std::size_t i = 0; i < group.statements.size(); ++i) {
    const auto* pointwise = std::get_if<fusion::Pointwise>(&group.statements[i].body);
    const auto* expression = pointwise ? std::get_if<graph::Expr>(&pointwise->op->body) : nullptr;
    approximable[i] = harmless[i] && expression && group.statements[i].compute == DType::f32 &&
                      graph::is_floating(group.statements[i].dtype) && !approximate_form(expression->text).empty();
  }
  return approximable;
}

}  // namespace torchweld::codegen
