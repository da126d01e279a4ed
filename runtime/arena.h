#pragma once

#include <cstdint>
#include <vector>

namespace torchweld::runtime {

/// A value that lives in memory between two kernels of a plan: from the step that writes it to the last that reads it.
struct Lifetime {
  std::int64_t bytes = 0;
  int first_step = 0;
  int last_step = 0;
};

/// Places in one allocation. Values whose lifetimes overlap do not; others may share memory.
struct ArenaLayout {
  std::vector<std::int64_t> offsets;  ///< one per value
  std::int64_t bytes = 0;
};
[[nodiscard]] ArenaLayout lay_out(const std::vector<Lifetime>& values);

}  // namespace torchweld::runtime
