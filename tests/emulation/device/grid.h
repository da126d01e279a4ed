#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "calls.h"
#include "fiber.h"
#include "shared_memory.h"
#include "site.h"

namespace emulation_device {

constexpr unsigned kWarpThreads = 32;

struct Block;
struct Cluster;

enum class State : std::uint8_t { ready, block_barrier, warp_meeting, cluster_barrier, exited };

/// One thread of a live block.
struct Thread {
  Fiber fiber;
  Block* block = nullptr;
  unsigned index = 0;  ///< threadIdx.x
  State state = State::exited;
  Site site{};            ///< where it waits
  unsigned received = 0;  ///< what a warp meeting gave it
  Clock clock;
};

/// The lanes of one `mask` on their way to one barrier or exchange of a warp. It takes place when all have arrived.
struct WarpMeeting {
  enum class Kind : std::uint8_t { barrier, shuffle, ballot } kind;
  unsigned mask = 0, arrived = 0;
  Site first_site{};
  unsigned words[kWarpThreads] = {};
  unsigned sources[kWarpThreads] = {};  ///< lane whose word a lane receives
};

struct Block {
  Cluster* cluster = nullptr;
  unsigned rank = 0;   ///< within the cluster
  unsigned index = 0;  ///< blockIdx.x
  unsigned slot = 0;   ///< among the live blocks; its threads are those of this slot
  unsigned waiting = 0, exited = 0;
  Site first_site{};
  std::vector<std::vector<WarpMeeting>> meetings;  ///< per warp
  SharedMemory shared;
};

/// Blocks that run together; without clusters, one block.
struct Cluster {
  std::vector<Block> blocks;
  unsigned arrived = 0, generation = 0;
  Site first_site{};
};

/// A launch as the kernel sees it.
struct LaunchShape {
  unsigned grid = 1, block = 1, cluster = 1, dynamic_shared = 0;
};

/// One run of a launch under one order of threads. All calls of kernel text go to the running one.
class Grid {
public:
  Grid(const KernelEntry&, void** arguments, LaunchShape, unsigned seed);
  /// Runs every block; a fault ends the process.
  void run();

  Thread& current() { return *current_; }
  [[nodiscard]] const LaunchShape& shape() const { return shape_; }
  [[nodiscard]] unsigned seed() const { return seed_; }
  std::string describe_current() const;

  /// Leaves the running thread in `state` until set_ready().
  void wait(State state);
  void set_ready(Thread&);
  void exit_current();
  bool chance(unsigned one_in);  ///< false under the ordered seeds 0 and 1
  Thread& thread(const Block&, unsigned index);

private:
  static void run_thread();
  void start_cluster(unsigned slot);
  unsigned pick();
  [[noreturn]] void report_deadlock();

  const KernelEntry& entry_;
  void** arguments_;
  LaunchShape shape_;
  unsigned seed_, warps_;  ///< warps of a block
  std::mt19937 random_;
  std::vector<std::unique_ptr<Cluster>> live_;
  std::vector<std::unique_ptr<Thread>> threads_;  ///< of all slots, padded to whole warps
  std::vector<std::uint32_t> ready_;              ///< one word per warp, one bit per lane
  std::vector<unsigned> waiting_clusters_;        ///< last to start first
  std::size_t preferred_warp_ = 0;
  Thread* current_ = nullptr;
};

/// The grid being run; null between runs.
Grid* running_grid();
inline Grid& grid() { return *running_grid(); }

}  // namespace emulation_device
