#include "fusion/legality.h"

#include <algorithm>
#include <string>

#include "fusion/domain.h"
#include "fusion/emit.h"

namespace torchweld::fusion {

namespace {

/// Values held in registers at once. An SM has 65536 registers: 128 values a thread leave 512 threads, with one element
/// a thread. Kernels near the limit have one element in flight and run at half of copy bandwidth.
constexpr int kMaxLiveValues = 96;

std::optional<Refusal> why_too_many_operands(const Formation& formed, int max_operands) {
  std::vector<std::int32_t> values;
  for (const Source& source : formed.sources)
    if (!source.is_member) values.push_back(source.base.index);
  std::sort(values.begin(), values.end());
  const auto distinct = static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
  const std::size_t operands = distinct + formed.stores.size();
  if (operands <= static_cast<std::size_t>(max_operands)) return std::nullopt;
  return Refusal{Reason::too_many_operands, {}, std::to_string(operands) + " of " + std::to_string(max_operands)};
}

void use_at(std::vector<std::int32_t>& last_use, const Input& input, std::size_t at) {
  if (const auto* index = std::get_if<StatementIndex>(&input))
    last_use[static_cast<std::size_t>(index->index)] = static_cast<std::int32_t>(at);
}

/// The largest number of values that a statement by statement walk holds.
int count_live_values(const Group& group) {
  std::vector<std::int32_t> last_use(group.statements.size(), -1);
  for (std::size_t at = 0; at < group.statements.size(); ++at) {
    const auto& body = group.statements[at].body;
    if (const auto* pointwise = std::get_if<Pointwise>(&body))
      for (const Input& input : pointwise->inputs) use_at(last_use, input, at);
    if (const auto* choose = std::get_if<Choose>(&body))
      for (const Input& input : choose->inputs) use_at(last_use, input, at);
    if (const auto* reduce = std::get_if<Reduce>(&body)) use_at(last_use, reduce->input, at);
  }
  std::vector<std::int32_t> ending(group.statements.size(), 0);
  for (const std::int32_t use : last_use)
    if (use >= 0) ++ending[static_cast<std::size_t>(use)];
  int live = 0;
  int most = 0;
  for (std::size_t at = 0; at < group.statements.size(); ++at) {
    most = std::max(most, ++live);
    live -= ending[at] + (last_use[at] < 0 ? 1 : 0);
  }
  return most;
}

struct Attempt {
  const Units& units;
  std::span<const std::int32_t> members;
  std::span<const std::int32_t> copied;
  int max_operands;
  Scratch& scratch;
};

/// `shared` tells whether another try without shared views could end otherwise.
std::variant<Group, Refusal> attempt(const Attempt& attempt, bool share_views, bool& shared) {
  const auto& [units, members, copied, max_operands, scratch] = attempt;
  auto outcome = form(units, members, copied, share_views, scratch);
  if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
    shared = true;
    return *refusal;
  }
  Formation& formed = std::get<Formation>(outcome);
  shared = formed.shared_views;
  // One node is always a group.
  if (members.size() > 1)
    if (auto refusal = why_too_many_operands(formed, max_operands)) return *refusal;
  auto domain = lay_out(*units.graph, formed);
  if (const auto* refusal = std::get_if<Refusal>(&domain)) return *refusal;
  Group group = emit_group(units, formed, std::get<Domain>(domain));
  const int live = members.size() > 1 ? count_live_values(group) : 0;
  if (live > kMaxLiveValues)
    return Refusal{Reason::too_many_live_values, {}, std::to_string(live) + " of " + std::to_string(kMaxLiveValues)};
  return group;
}

}  // namespace

std::variant<Group, Refusal> make_group(const Units& units, std::span<const std::int32_t> members,
                                        std::span<const std::int32_t> copied, int max_operands, Scratch& scratch) {
  const Attempt at{units, members, copied, max_operands, scratch};
  bool shared = false;
  auto outcome = attempt(at, true, shared);
  if (std::holds_alternative<Group>(outcome) || !shared) return outcome;
  auto separate = attempt(at, false, shared);
  return std::holds_alternative<Group>(separate) ? separate : outcome;
}

}  // namespace torchweld::fusion
