#pragma once

#include <variant>
#include <vector>

#include "frontend/borders.h"
#include "frontend/dependences.h"

namespace torchweld::frontend {

/// A node that stays, or a region as a whole (an index into Borders::regions).
using Placed = std::variant<torch::jit::Node*, std::size_t>;

/// The new order of one block: what must stay before, does; otherwise the original order, a region where its last node
/// was. Throws InternalError when a region would have to wait for itself.
[[nodiscard]] std::vector<Placed> place(torch::jit::Block* block, const Dependences& dependences,
                                        const Borders& borders);

}  // namespace torchweld::frontend
