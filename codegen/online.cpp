#include "codegen/loop.h"

namespace torchweld::codegen {
namespace {

using fusion::Group;
using graph::DType;

const fusion::Statement& at(const Group& group, int i) { return group.statements[static_cast<std::size_t>(i)]; }

int index_of(const fusion::Input& input) {
  const auto* index = std::get_if<fusion::StatementIndex>(&input);
  return index ? index->index : -1;
}

bool is_one(const fusion::Input& input) {
  const auto* number = std::get_if<fusion::Number>(&input);
  if (!number) return false;
  const auto* integer = std::get_if<std::int64_t>(&number->held);
  const auto* real = std::get_if<double>(&number->held);
  return (integer && *integer == 1) || (real && *real == 1);
}

const fusion::Pointwise* pointwise_at(const Group& group, int i) {
  return i < 0 ? nullptr : std::get_if<fusion::Pointwise>(&at(group, i).body);
}

std::string_view expression_of(const fusion::Pointwise& pointwise) {
  const auto* expression = std::get_if<graph::Expr>(&pointwise.op->body);
  return expression ? expression->text : std::string_view{};
}

bool subtracts(const fusion::Pointwise& pointwise) {
  const std::string_view text = expression_of(pointwise);
  return text == "$0 - $1" || (text == "$0 - $2 * $1" && is_one(pointwise.inputs[2]));
}

/// sum(exp(x - max(x))): the statement of the max, or -1.
int max_of(const Group& group, const fusion::Reduce& sum) {
  const auto* exponent = pointwise_at(group, sum.input.index);
  if (!exponent || expression_of(*exponent) != "tw_exp($0)") return -1;
  const auto* difference = pointwise_at(group, index_of(exponent->inputs[0]));
  if (!difference || !subtracts(*difference)) return -1;
  const int max = index_of(difference->inputs[1]);
  if (max < 0 || index_of(difference->inputs[0]) < 0) return -1;
  const auto* reduce = std::get_if<fusion::Reduce>(&at(group, max).body);
  const bool same_input = reduce && reduce->input.index == index_of(difference->inputs[0]);
  return same_input && reduce->kind == graph::ReductionKind::max ? max : -1;
}

}  // namespace

std::vector<OnlineSoftmax> find_online_softmax(const Group& group) {
  std::vector<OnlineSoftmax> onlines;
  for (std::size_t i = 0; i < group.statements.size(); ++i) {
    const auto* sum = std::get_if<fusion::Reduce>(&group.statements[i].body);
    if (!sum || sum->kind != graph::ReductionKind::sum || group.statements[i].compute != DType::f32) continue;
    const int max = max_of(group, *sum);
    if (max < 0 || at(group, max).compute != DType::f32) continue;
    bool taken = false;
    for (const OnlineSoftmax& online : onlines) taken = taken || online.max == max;
    if (!taken)
      onlines.push_back({max, static_cast<int>(i), std::get<fusion::Reduce>(at(group, max).body).input.index});
  }
  return onlines;
}

}  // namespace torchweld::codegen
