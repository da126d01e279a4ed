#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "site.h"

namespace emulation_device {

struct Thread;

/// How many barriers of each scope a thread has passed. `stamp` counts a cluster barrier from its arrival on, `passed`
/// from the end of its wait: what lies between the two is ordered with neither side.
struct Clock {
  std::uint32_t block = 0, warp = 0, cluster_stamp = 0, cluster_passed = 0;
};

/// One access to shared memory, to be compared with later ones of other threads.
struct Access {
  const Thread* thread = nullptr;  ///< null: none yet
  std::uint32_t block = 0, warp = 0, cluster = 0;
  const void* site = nullptr;
};

/// The last accesses to each byte of a shared variable.
struct Shadow {
  struct Byte {
    Access write;
    std::array<Access, 2> reads;  ///< the latest, of different threads
  };
  std::vector<Byte> bytes;
};

/// Set for kernel text compiled to be watched.
extern bool watch_races;

/// Compares an access of the running thread with earlier ones; a race is a fault. Nothing outside shared memory.
void watch_access(const void* address, std::size_t bytes, bool writes, const Site& here);

}  // namespace emulation_device
