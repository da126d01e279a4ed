#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fusion/group.h"

namespace torchweld::codegen {

// The loop IR: what every schedule prints from. A group's axes fall into two parts. Rows are the kept axes of a group
// with a reduction; the inner part is reduced, or vectorised where there is no reduction. The axes of a part are
// ordered by the strides of the largest operand and collapsed where all operands agree.

/// One loop of a part, outermost first.
struct Loop {
  std::int64_t extent = 1;
  int axis = -1;  ///< the group's axis that it is; -1 for several collapsed into one
};

/// Strides of one operand over the loops of one part, in elements.
struct PartStrides {
  graph::Dims per_loop;
  std::optional<std::int64_t> flat;  ///< the stride of the part's flat index, where one suffices; 0: does not depend

  [[nodiscard]] bool is_zero() const { return flat && *flat == 0; }
};

struct LoopAccess {
  PartStrides rows;
  PartStrides inner;
};

/// max(x) and sum(exp(x - max(x))) in one pass over x. Members are positions of statements.
struct OnlineSoftmax {
  int max = -1;
  int sum = -1;
  int input = -1;
};

/// What a statement becomes.
struct Step {
  bool inner = false;  ///< computed for each inner index, not once a row
  int phase = 0;       ///< a reduction's result is one phase after its input
};

struct LoopNest {
  const fusion::Group* group = nullptr;
  bool reduces = false;
  std::vector<Loop> rows;
  std::vector<Loop> inner;
  std::vector<LoopAccess> accesses;    ///< one per access of the group
  std::vector<Step> steps;             ///< one per statement of the group
  std::vector<OnlineSoftmax> onlines;  ///< reductions that share a state
  int num_phases = 1;

  [[nodiscard]] std::int64_t num_rows() const;
  [[nodiscard]] std::int64_t num_inner() const;
};

/// The loops of a group; `onlines` are reductions to do in one pass (find_online_softmax).
[[nodiscard]] LoopNest make_loops(const fusion::Group& group, std::vector<OnlineSoftmax> onlines = {});

/// Moves all inner loops but the last into the rows of a group without a reduction: for schedules that walk rows.
void split_innermost(LoopNest& nest);

/// Moves all inner loops but two into the rows of a group without a reduction: `loop` and the innermost, in this order.
void split_innermost_two(LoopNest& nest, std::size_t loop);

/// True when an index or an offset inside the nest does not fit in 31 bits.
[[nodiscard]] bool needs_wide_index(const LoopNest& nest);

/// The online softmax pairs of a group.
[[nodiscard]] std::vector<OnlineSoftmax> find_online_softmax(const fusion::Group& group);

}  // namespace torchweld::codegen
