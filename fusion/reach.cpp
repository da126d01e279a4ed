#include "fusion/reach.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>
#include <unordered_set>

#include "torchweld/error.h"

namespace torchweld::fusion {

namespace {

/// Walks groups from one pair outwards. A group whose first member comes after the pair's last cannot lead back, so the
/// walk stays in the neighbourhood of the pair.
class Walk {
public:
  Walk(const Units& units, const Grouping& grouping, std::int32_t one, std::int32_t other)
      : units_(units), grouping_(grouping), one_(one), other_(other),
        last_(std::max(members(one).back(), members(other).back())) {}

  bool returns() {
    enter_consumers(one_, true);
    enter_consumers(other_, true);
    while (!returned_ && !open_.empty()) {
      const std::int32_t group = open_.back();
      open_.pop_back();
      enter_consumers(group, false);
    }
    return returned_;
  }

private:
  [[nodiscard]] const std::vector<std::int32_t>& members(std::int32_t group) const {
    return grouping_.members[static_cast<std::size_t>(group)];
  }

  void enter_consumers(std::int32_t group, bool of_pair) {
    for (const std::int32_t member : members(group))
      for (const std::int32_t consumer : units_.consumers.of(member))
        enter(grouping_.group_of[static_cast<std::size_t>(consumer)], of_pair);
  }
  void enter(std::int32_t group, bool from_pair) {
    const bool in_pair = group == one_ || group == other_;
    if (in_pair)
      returned_ = returned_ || !from_pair;
    else if (!members(group).empty() && members(group).front() < last_ && seen_.insert(group).second)
      open_.push_back(group);
  }

  const Units& units_;
  const Grouping& grouping_;
  std::int32_t one_;
  std::int32_t other_;
  std::int32_t last_;
  std::unordered_set<std::int32_t> seen_;
  std::vector<std::int32_t> open_;
  bool returned_ = false;
};

}  // namespace

bool path_leaves_and_returns(const Units& units, const Grouping& grouping, std::int32_t one, std::int32_t other) {
  return Walk(units, grouping, one, other).returns();
}

std::vector<std::int32_t> writers_of(const Units& units, const std::vector<Group>& groups) {
  std::vector<std::int32_t> writers(units.base.size(), -1);
  for (std::size_t at = 0; at < groups.size(); ++at)
    for (const Store& store : groups[at].stores) {
      const graph::Value value = groups[at].accesses[static_cast<std::size_t>(store.access)].value;
      writers[static_cast<std::size_t>(value.index)] = static_cast<std::int32_t>(at);
    }
  return writers;
}

std::vector<std::size_t> launch_order(const Units& units, const std::vector<Group>& groups) {
  const std::vector<std::int32_t> writers = writers_of(units, groups);
  // Edges point from a group to those it reads, so that the sort's reversed order is the order of launches.
  using Reads = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  Reads reads(groups.size());
  for (std::size_t at = 0; at < groups.size(); ++at)
    for (const Access& access : groups[at].accesses) {
      const std::int32_t writer = writers[static_cast<std::size_t>(access.value.index)];
      if (writer >= 0 && static_cast<std::size_t>(writer) != at)
        boost::add_edge(at, static_cast<std::size_t>(writer), reads);
    }
  std::vector<std::size_t> order;
  try {
    boost::topological_sort(reads, std::back_inserter(order));
  } catch (const boost::not_a_dag&) {
    throw InternalError("groups of a plan read each other in a cycle");
  }
  return order;
}

}  // namespace torchweld::fusion
