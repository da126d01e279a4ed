#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "fusion/legality.h"
#include "fusion/reach.h"

namespace torchweld::fusion {

/// Groups while a plan is made. A group that was merged into another has no members.
class Grouper {
public:
  Grouper(const Units& units, const PlanOptions& options);

  /// Makes `members` one group if that is legal and profitable.
  bool add_whole(const std::vector<std::int32_t>& members);
  /// Makes each of `members` a group; the first that cannot be one is returned.
  std::optional<std::int32_t> add_singles(const std::vector<std::int32_t>& members);
  /// Merges pairs of groups, most bytes saved first, until none can be merged.
  void merge_pairs();
  /// Computes cheap values anew in each group that reads them where that moves fewer bytes than keeping them in memory.
  void copy_cheap_producers();

  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  [[nodiscard]] const Grouping& grouping() const { return grouping_; }
  /// Why two groups did not become one, as merge_pairs() found.
  [[nodiscard]] Refusal why_apart(std::int32_t one, std::int32_t other);

private:
  struct Pair {
    std::int32_t one = -1;
    std::int32_t other = -1;
    std::int64_t saved = 0;
    bool connected = false;  ///< one reads a result of the other
  };
  std::int32_t add(std::vector<std::int32_t> members, Group group);
  [[nodiscard]] std::vector<Pair> pairs() const;
  bool merge(const Pair& pair);
  [[nodiscard]] std::variant<Group, Refusal> merged(const Pair& pair, std::vector<std::int32_t>& members);
  [[nodiscard]] std::int32_t current(std::int32_t group) const;
  bool copy_into_readers(std::int32_t group);

  const Units& units_;
  PlanOptions options_;
  Scratch scratch_;
  Grouping grouping_;
  std::vector<Group> groups_;
  std::vector<std::int32_t> merged_into_;
  std::vector<std::vector<std::int32_t>> copied_;        ///< per group: members that it computes for itself only
  std::unordered_map<std::uint64_t, Refusal> refusals_;  ///< per pair of groups
};

}  // namespace torchweld::fusion
