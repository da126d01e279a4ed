#include "graph/ops/rows.h"

namespace torchweld::graph {

std::span<const Op> softmax_rows() { return {}; }

}  // namespace torchweld::graph
