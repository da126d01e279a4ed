#pragma once

#include <vector>

#include "codegen/loop.h"

namespace torchweld::codegen {

/// Which inner values stay in registers from the phase that first computes them to the last that uses them; all others
/// are computed again.
struct Kept {
  std::vector<bool> keep;        ///< per statement
  std::vector<int> first_phase;  ///< per statement: the first phase that computes it; -1: none
};

/// What one phase computes for each inner index: positions of statements, in order.
struct PhaseWork {
  std::vector<int> reductions;  ///< Reduce statements whose input has this phase (online pairs: the max alone)
  std::vector<int> stores;      ///< positions in Group::stores, of those done for each inner index
  std::vector<int> statements;  ///< inner statements to compute
  std::vector<int> reused;      ///< inner statements kept from earlier phases
};

/// The work of each phase when `kept` values are not computed again.
[[nodiscard]] std::vector<PhaseWork> work_of_phases(const LoopNest& nest, Kept& kept);

/// Nothing kept.
[[nodiscard]] Kept keep_nothing(const LoopNest& nest);

/// Chooses by registers held from phase to phase against work done again, for `elements` inner indices a thread and
/// `registers` a thread (65536 / threads at one block a multiprocessor).
[[nodiscard]] Kept choose_kept(const LoopNest& nest, int elements, int registers);

/// Arithmetic of a statement in units of an addition.
[[nodiscard]] int weight_of(const fusion::Statement& statement);

}  // namespace torchweld::codegen
