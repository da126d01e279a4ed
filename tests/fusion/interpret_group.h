#pragma once

#include <map>
#include <vector>

#include "fusion/plan.h"

namespace torchweld::testing {

/// What values hold: each tensor's buffer, addressed from its first element by the strides of its type, or one number.
using Memory = std::map<graph::Value, std::vector<double>>;

/// Elements that a buffer of this type needs.
[[nodiscard]] std::size_t buffer_size(const graph::TensorType& type);

/// Runs a group as its IR says, statement by statement over the whole domain, in double arithmetic. Throws
/// std::logic_error when an access leaves its buffer, a store writes an element twice, a value depends on an axis that
/// it does not span, or a load that a guard leaves out is used.
void interpret(const graph::Graph& graph, const fusion::Group& group, Memory& memory);

/// Runs all groups of a plan: `memory` holds the inputs before, and intermediates and outputs after.
void interpret(const graph::Graph& graph, const fusion::Plan& plan, Memory& memory);

}  // namespace torchweld::testing
