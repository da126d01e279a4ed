#include "codegen/plain_casts.h"

namespace torchweld::codegen {
namespace {

using fusion::Group;
using fusion::Input;
using fusion::Statement;
using fusion::StatementIndex;
using graph::DType;

template <class Visit>
void for_each_index(Statement& statement, Visit visit) {
  const auto visit_all = [&](std::vector<Input>& inputs) {
    for (Input& input : inputs)
      if (auto* index = std::get_if<StatementIndex>(&input)) visit(*index);
  };
  if (auto* pointwise = std::get_if<fusion::Pointwise>(&statement.body)) visit_all(pointwise->inputs);
  if (auto* choose = std::get_if<fusion::Choose>(&statement.body)) visit_all(choose->inputs);
  if (auto* reduce = std::get_if<fusion::Reduce>(&statement.body)) visit(reduce->input);
}

/// Whether every user of statement `i` is a store of its own dtype.
std::vector<bool> only_stored(Group& group) {
  std::vector<bool> only(group.statements.size(), true);
  for (Statement& statement : group.statements)
    for_each_index(statement, [&](StatementIndex index) { only[static_cast<std::size_t>(index.index)] = false; });
  for (const fusion::Store& store : group.stores) {
    const auto i = static_cast<std::size_t>(store.statement.index);
    if (group.accesses[static_cast<std::size_t>(store.access)].dtype != group.statements[i].dtype) only[i] = false;
  }
  return only;
}

bool is_plain_cast(const Group& group, const Statement& statement, bool only_stored) {
  const auto* pointwise = std::get_if<fusion::Pointwise>(&statement.body);
  if (!pointwise || pointwise->inputs.size() != 1) return false;
  const auto* expression = std::get_if<graph::Expr>(&pointwise->op->body);
  const auto* input = std::get_if<StatementIndex>(&pointwise->inputs[0]);
  if (!expression || expression->text != "$0" || !input) return false;
  const Statement& source = group.statements[static_cast<std::size_t>(input->index)];
  const bool held_alike = graph::compute_dtype(source.dtype) == graph::compute_dtype(statement.dtype) &&
                          graph::compute_dtype(statement.compute) == graph::compute_dtype(statement.dtype);
  static const graph::Op* const kRound = graph::find_op("torchweld::round");
  const bool rounds = (statement.dtype == DType::f16 || statement.dtype == DType::bf16) &&
                      (source.dtype != statement.dtype || pointwise->op == kRound);
  return held_alike && (!rounds || only_stored) && source.spans == statement.spans;
}

}  // namespace

Group drop_plain_casts(const Group& group) {
  Group result = group;
  const std::vector<bool> stored = only_stored(result);
  std::vector<StatementIndex> renamed;
  std::vector<Statement> statements;
  for (std::size_t i = 0; i < group.statements.size(); ++i) {
    Statement statement = group.statements[i];
    if (is_plain_cast(group, statement, stored[i])) {
      const auto& pointwise = std::get<fusion::Pointwise>(statement.body);
      renamed.push_back(renamed[static_cast<std::size_t>(std::get<StatementIndex>(pointwise.inputs[0]).index)]);
      continue;
    }
    for_each_index(statement, [&](StatementIndex& index) { index = renamed[static_cast<std::size_t>(index.index)]; });
    renamed.push_back({static_cast<std::int32_t>(statements.size())});
    statements.push_back(std::move(statement));
  }
  result.statements = std::move(statements);
  for (fusion::Store& store : result.stores) store.statement = renamed[static_cast<std::size_t>(store.statement.index)];
  return result;
}

}  // namespace torchweld::codegen
