#include "fusion/profit.h"

#include <algorithm>
#include <string>

namespace torchweld::fusion {

namespace {

/// Weight of statements that may be computed again along an axis that they do not span. An H200 has some 12 flops for
/// each byte that it moves: this many hide behind the traffic of two operands.
constexpr int kMaxRepeatedWeight = 48;
constexpr int kTranscendentalWeight = 8;

/// Fewer rows than this leave most multiprocessors idle; a longer row than this does not stay on chip.
constexpr std::int64_t kFewRows = 32;
constexpr std::int64_t kLongRow = 65536;

/// Of the smaller group's traffic that siblings must share.
constexpr std::int64_t kSharedPart = 4;

bool spans_reduced(const Group& group, const Statement& statement) {
  for (std::size_t axis = 0; axis < group.axes.size(); ++axis)
    if (group.axes[axis].reduced && statement.spans[axis]) return true;
  return false;
}

/// Repeated: it spans neither all kept axes, nor no reduced one.
bool is_repeated(const Group& group, const Statement& statement) {
  bool spans_any = false;
  bool misses_kept = false;
  for (std::size_t axis = 0; axis < group.axes.size(); ++axis) {
    spans_any = spans_any || statement.spans[axis];
    misses_kept = misses_kept || (!group.axes[axis].reduced && !statement.spans[axis]);
  }
  return spans_any && misses_kept;
}

std::optional<Refusal> why_repeats_too_much(const Group& group) {
  int weight = 0;
  for (const Statement& statement : group.statements)
    if (const auto* pointwise = std::get_if<Pointwise>(&statement.body); pointwise && is_repeated(group, statement))
      weight += weight_of(*pointwise->op);
  if (weight <= kMaxRepeatedWeight) return std::nullopt;
  return Refusal{Reason::not_profitable, {}, "repeats operations of weight " + std::to_string(weight)};
}

bool depends_on(const std::vector<char>& marked, const Input& input) {
  const auto* index = std::get_if<StatementIndex>(&input);
  return index != nullptr && marked[static_cast<std::size_t>(index->index)] != 0;
}

/// Whether a statement over the row needs a reduction of the row: then rows are walked twice.
bool walks_rows_twice(const Group& group) {
  std::vector<char> reduced(group.statements.size(), 0);
  for (std::size_t at = 0; at < group.statements.size(); ++at) {
    const Statement& statement = group.statements[at];
    bool depends = std::holds_alternative<Reduce>(statement.body);
    if (const auto* pointwise = std::get_if<Pointwise>(&statement.body))
      for (const Input& input : pointwise->inputs) depends = depends || depends_on(reduced, input);
    if (const auto* choose = std::get_if<Choose>(&statement.body))
      for (const Input& input : choose->inputs) depends = depends || depends_on(reduced, input);
    reduced[at] = depends ? 1 : 0;
    if (depends && spans_reduced(group, statement)) return true;
  }
  return false;
}

std::optional<Refusal> why_rows_are_too_long(const Group& group) {
  std::int64_t rows = 1;
  std::int64_t length = 1;
  for (const Axis& axis : group.axes) (axis.reduced ? length : rows) *= axis.extent;
  if (rows >= kFewRows || length <= kLongRow || !walks_rows_twice(group)) return std::nullopt;
  return Refusal{Reason::not_profitable,
                 {},
                 std::to_string(rows) + (rows == 1 ? " row of " : " rows of ") + std::to_string(length)};
}

}  // namespace

int weight_of(const graph::Op& op) {
  const auto* expression = std::get_if<graph::Expr>(&op.body);
  if (expression == nullptr) return 1;
  int weight = 1;
  for (const std::string_view cheap : {"tw_max", "tw_min", "tw_select", "tw_abs", "tw_not", "tw_and", "tw_or"})
    if (expression->text.starts_with(cheap)) return weight;
  for (std::size_t at = expression->text.find("tw_"); at != std::string_view::npos;
       at = expression->text.find("tw_", at + 1))
    weight += kTranscendentalWeight;
  return weight;
}

std::optional<Refusal> why_not_profitable(const Group& group) {
  if (auto refusal = why_repeats_too_much(group)) return refusal;
  return why_rows_are_too_long(group);
}

std::optional<Refusal> why_not_side_by_side(const Group& one, const Group& other, std::int64_t shared_bytes) {
  const std::int64_t smaller = std::min(one.bytes_read + one.bytes_written, other.bytes_read + other.bytes_written);
  if (shared_bytes * kSharedPart >= smaller) return std::nullopt;
  return Refusal{Reason::not_profitable,
                 {},
                 "shares " + std::to_string(shared_bytes) + " of " + std::to_string(smaller) + " bytes"};
}

}  // namespace torchweld::fusion
