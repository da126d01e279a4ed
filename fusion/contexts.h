#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fusion/plan.h"
#include "fusion/units.h"

namespace torchweld::fusion {

/// Operands of a cat that are computed in its group run over a part of the cat's axis. A context names one operand of
/// one cat; context 0 is everything else. Values read from memory may appear in several contexts.
struct Contexts {
  std::vector<int> of_node;  ///< per node of the graph; meaningful for members
  std::vector<int> first;    ///< per node: the context of operand 0, for cats among the members
  std::optional<Refusal> refusal;
};

[[nodiscard]] Contexts assign_contexts(const Units& units, std::span<const std::int32_t> members,
                                       const std::vector<char>& is_member);

}  // namespace torchweld::fusion
