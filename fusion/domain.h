#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "fusion/formation.h"

namespace torchweld::fusion {

/// A set of a group's axes, by position.
using AxisMask = std::uint64_t;
inline constexpr int kMaxAxes = 64;

/// A part of an axis that one operand of a cat runs over.
struct Part {
  std::int64_t begin = 0;
  std::int64_t size = 0;
};

/// The loops of a formed group: kept axes first, then reduced ones.
struct Domain {
  std::vector<AxisId> axes;               ///< by position
  int kept = 0;                           ///< how many are kept
  std::vector<int> position;              ///< per AxisId that iterates now; -1 for others
  std::vector<std::optional<Part>> part;  ///< per AxisId: set where it iterates over a part of the axis at `position`

  [[nodiscard]] AxisMask kept_mask() const { return kept == kMaxAxes ? ~AxisMask{0} : (AxisMask{1} << kept) - 1; }
  [[nodiscard]] AxisMask all_mask() const {
    return axes.size() == kMaxAxes ? ~AxisMask{0} : (AxisMask{1} << axes.size()) - 1;
  }
  [[nodiscard]] AxisMask reduced_mask() const { return all_mask() & ~kept_mask(); }
};

/// The positions of the axes that a list stands for.
[[nodiscard]] AxisMask mask_of(const Formation& formed, const Domain& domain, std::span<const AxisId> axes);

/// Lays out the loops of a formed group, or says which rule of legality it breaks: every reduction reduces the same
/// axes and is computed once per row, every store covers the rows, no value is needed at two indices at once.
[[nodiscard]] std::variant<Domain, Refusal> lay_out(const graph::Graph& graph, Formation& formed);

}  // namespace torchweld::fusion
