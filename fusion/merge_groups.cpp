#include "fusion/merge_groups.h"

#include <algorithm>

#include "fusion/bytes.h"
#include "fusion/profit.h"

namespace torchweld::fusion {

using graph::Value;

namespace {

std::uint64_t key_of(std::int32_t one, std::int32_t other) {
  return static_cast<std::uint64_t>(std::min(one, other)) << 32 | static_cast<std::uint64_t>(std::max(one, other));
}

/// Calls `visit(value, first access)` for each value that the group reads.
template <typename Visit>
void for_each_read(const Group& group, Visit visit) {
  const std::size_t loads = group.accesses.size() - group.stores.size();
  for (std::size_t at = 0; at < loads; ++at) {
    bool first = true;
    for (std::size_t before = 0; before < at && first; ++before)
      first = group.accesses[before].value != group.accesses[at].value;
    if (first) visit(group.accesses[at].value);
  }
}

std::int64_t traffic(const Group& group) { return group.bytes_read + group.bytes_written; }

/// Weight of a group that is worth computing again wherever it is read.
constexpr int kCheapWeight = 8;

/// A group that computes the members of another for itself.
struct Copy {
  std::size_t reader = 0;
  std::vector<std::int32_t> members;
  std::vector<std::int32_t> copied;
  Group group;
};

std::vector<std::int32_t> joined(const std::vector<std::int32_t>& one, const std::vector<std::int32_t>& other) {
  std::vector<std::int32_t> members;
  members.reserve(one.size() + other.size());
  std::set_union(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(members));
  return members;
}

}  // namespace

Grouper::Grouper(const Units& units, const PlanOptions& options) : units_(units), options_(options), scratch_(units) {
  grouping_.group_of.assign(units.is_unit.size(), -1);
}

std::int32_t Grouper::add(std::vector<std::int32_t> members, Group group) {
  const auto id = static_cast<std::int32_t>(groups_.size());
  for (const std::int32_t member : members) grouping_.group_of[static_cast<std::size_t>(member)] = id;
  grouping_.members.push_back(std::move(members));
  groups_.push_back(std::move(group));
  merged_into_.push_back(-1);
  copied_.emplace_back();
  return id;
}

std::int32_t Grouper::current(std::int32_t group) const {
  while (merged_into_[static_cast<std::size_t>(group)] >= 0) group = merged_into_[static_cast<std::size_t>(group)];
  return group;
}

bool Grouper::add_whole(const std::vector<std::int32_t>& members) {
  auto made = make_group(units_, members, {}, options_.max_operands, scratch_);
  Group* group = std::get_if<Group>(&made);
  if (group == nullptr || (members.size() > 1 && why_not_profitable(*group))) return false;
  add(members, std::move(*group));
  return true;
}

std::optional<std::int32_t> Grouper::add_singles(const std::vector<std::int32_t>& members) {
  for (const std::int32_t member : members)
    if (!add_whole({member})) return member;
  return std::nullopt;
}

std::vector<Grouper::Pair> Grouper::pairs() const {
  const std::vector<std::int32_t> writers = writers_of(units_, groups_);
  std::vector<std::int32_t> first_reader(units_.base.size(), -1);
  std::vector<Pair> pairs;
  for (std::size_t at = 0; at < groups_.size(); ++at) {
    const auto reader = static_cast<std::int32_t>(at);
    for_each_read(groups_[at], [&](Value value) {
      const auto index = static_cast<std::size_t>(value.index);
      const std::int64_t bytes = bytes_read_of(*units_.graph, groups_[at], value);
      if (writers[index] >= 0) pairs.push_back({writers[index], reader, 2 * bytes, true});
      if (first_reader[index] < 0)
        first_reader[index] = reader;
      else
        pairs.push_back({first_reader[index], reader, bytes, false});
    });
  }
  const auto key = [](const Pair& pair) { return key_of(pair.one, pair.other); };
  std::sort(pairs.begin(), pairs.end(), [&](const Pair& a, const Pair& b) { return key(a) < key(b); });
  std::vector<Pair> distinct;
  for (const Pair& pair : pairs) {
    if (distinct.empty() || key(distinct.back()) != key(pair)) distinct.push_back({pair.one, pair.other, 0, false});
    distinct.back().saved += pair.saved;
    distinct.back().connected = distinct.back().connected || pair.connected;
  }
  std::stable_sort(distinct.begin(), distinct.end(), [](const Pair& a, const Pair& b) { return a.saved > b.saved; });
  return distinct;
}

void Grouper::merge_pairs() {
  for (bool merged_any = true; merged_any;) {
    merged_any = false;
    for (Pair pair : pairs()) {
      pair.one = current(pair.one);
      pair.other = current(pair.other);
      if (pair.one != pair.other && merge(pair)) merged_any = true;
    }
  }
}

std::variant<Group, Refusal> Grouper::merged(const Pair& pair, std::vector<std::int32_t>& members) {
  if (path_leaves_and_returns(units_, grouping_, pair.one, pair.other))
    return Refusal{Reason::path_leaves_and_returns, {}, {}};
  members = joined(grouping_.members[static_cast<std::size_t>(pair.one)],
                   grouping_.members[static_cast<std::size_t>(pair.other)]);
  auto made = make_group(units_, members, {}, options_.max_operands, scratch_);
  if (std::holds_alternative<Refusal>(made)) return made;
  if (auto refusal = why_not_profitable(std::get<Group>(made))) return *refusal;
  if (!pair.connected)
    if (auto refusal = why_not_side_by_side(groups_[static_cast<std::size_t>(pair.one)],
                                            groups_[static_cast<std::size_t>(pair.other)], pair.saved))
      return *refusal;
  return made;
}

bool Grouper::merge(const Pair& pair) {
  if (refusals_.contains(key_of(pair.one, pair.other))) return false;
  std::vector<std::int32_t> members;
  auto made = merged(pair, members);
  if (auto* refusal = std::get_if<Refusal>(&made)) {
    refusals_.emplace(key_of(pair.one, pair.other), std::move(*refusal));
    return false;
  }
  const std::int32_t id = add(std::move(members), std::move(std::get<Group>(made)));
  for (const std::int32_t gone : {pair.one, pair.other}) {
    merged_into_[static_cast<std::size_t>(gone)] = id;
    grouping_.members[static_cast<std::size_t>(gone)].clear();
    groups_[static_cast<std::size_t>(gone)] = Group{};
  }
  return true;
}

void Grouper::copy_cheap_producers() {
  for (std::size_t group = groups_.size(); group-- > 0;)
    if (!grouping_.members[group].empty()) copy_into_readers(static_cast<std::int32_t>(group));
}

bool Grouper::copy_into_readers(std::int32_t producer) {
  const auto at = static_cast<std::size_t>(producer);
  int weight = 0;
  for (const std::int32_t member : grouping_.members[at]) {
    const graph::Node& node = units_.graph->nodes()[static_cast<std::size_t>(member)];
    weight += weight_of(*node.op);
    if (!graph::is_pointwise(*node.op) || !units_.stored[static_cast<std::size_t>(member)].empty()) return false;
  }
  if (weight > kCheapWeight) return false;
  const std::vector<std::int32_t> writers = writers_of(units_, groups_);
  std::vector<Copy> copies;
  std::int64_t before = traffic(groups_[at]);
  std::int64_t after = 0;
  for (std::size_t reader = 0; reader < groups_.size(); ++reader) {
    bool reads = false;
    for_each_read(groups_[reader],
                  [&](Value value) { reads = reads || writers[static_cast<std::size_t>(value.index)] == producer; });
    if (!reads) continue;
    Copy copy{.reader = reader,
              .members = joined(grouping_.members[reader], grouping_.members[at]),
              .copied = joined(copied_[reader], grouping_.members[at]),
              .group = {}};
    auto made = make_group(units_, copy.members, copy.copied, options_.max_operands, scratch_);
    if (std::holds_alternative<Refusal>(made) || why_not_profitable(std::get<Group>(made))) return false;
    before += traffic(groups_[reader]);
    after += traffic(std::get<Group>(made));
    copy.group = std::move(std::get<Group>(made));
    copies.push_back(std::move(copy));
  }
  if (copies.empty() || after >= before) return false;
  for (Copy& copy : copies) {
    groups_[copy.reader] = std::move(copy.group);
    grouping_.members[copy.reader] = std::move(copy.members);
    copied_[copy.reader] = std::move(copy.copied);
  }
  groups_[at] = Group{};
  grouping_.members[at].clear();
  return true;
}

Refusal Grouper::why_apart(std::int32_t one, std::int32_t other) {
  if (!options_.fuse) return Refusal{Reason::not_profitable, {}, "fusion is off"};
  const auto found = refusals_.find(key_of(one, other));
  if (found != refusals_.end()) return found->second;
  // merge_pairs() tries readers of one value with the first of them only, and copies change groups after it.
  std::vector<std::int32_t> members;
  const auto made = merged({one, other, 0, true}, members);
  if (const auto* refusal = std::get_if<Refusal>(&made)) return *refusal;
  return Refusal{Reason::not_profitable, {}, "not tried"};
}

}  // namespace torchweld::fusion
