#include "grid.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <utility>

#include "fault.h"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace emulation_device {
namespace {

Grid* running = nullptr;

// Live threads under the random seeds: several clusters at once, as on a device, while stacks stay within 64 MB.
constexpr unsigned kMaxLiveThreads = 1024, kMaxLiveClusters = 6;

unsigned clusters_at_once(const LaunchShape& shape, unsigned seed) {
  if (seed < 2) return 1;
  return std::clamp(kMaxLiveThreads / (shape.block * shape.cluster), 1u, kMaxLiveClusters);
}

}  // namespace

Grid* running_grid() { return running; }

Grid::Grid(const KernelEntry& entry, void** arguments, LaunchShape shape, unsigned seed)
    : entry_(entry), arguments_(arguments), shape_(shape), seed_(seed),
      warps_((shape.block + kWarpThreads - 1) / kWarpThreads), random_(seed) {
  const unsigned slots = std::min(clusters_at_once(shape, seed), shape.grid / shape.cluster);
  live_.resize(slots);
  ready_.resize(std::size_t{slots} * shape.cluster * warps_);
  threads_.resize(ready_.size() * kWarpThreads);
  waiting_clusters_.resize(shape.grid / shape.cluster);
  std::iota(waiting_clusters_.rbegin(), waiting_clusters_.rend(), 0u);
  if (seed == 1) std::reverse(waiting_clusters_.begin(), waiting_clusters_.end());
  if (seed >= 2) std::shuffle(waiting_clusters_.begin(), waiting_clusters_.end(), random_);
}

void Grid::run() {
  running = this;
  blockDim = {shape_.block, 1, 1};
  gridDim = {shape_.grid, 1, 1};
  for (unsigned slot = 0; slot < live_.size(); ++slot) start_cluster(slot);
  while (true) {
    const unsigned next = pick();
    if (next == threads_.size()) break;
    current_ = threads_[next].get();
    threadIdx = {current_->index, 0, 0};
    blockIdx = {current_->block->index, 0, 0};
    current_->fiber.resume();
    const Cluster& cluster = *current_->block->cluster;
    const bool over = std::all_of(cluster.blocks.begin(), cluster.blocks.end(),
                                  [&](const Block& b) { return b.exited == shape_.block; });
    const unsigned slot = current_->block->slot / shape_.cluster;
    current_ = nullptr;
    if (over) start_cluster(slot);
  }
  if (std::any_of(live_.begin(), live_.end(), [](const auto& cluster) { return cluster != nullptr; }))
    report_deadlock();
  running = nullptr;
}

void Grid::start_cluster(unsigned slot) {
  live_[slot].reset();
  if (waiting_clusters_.empty()) return;
  live_[slot] = std::make_unique<Cluster>();
  Cluster& cluster = *live_[slot];
  cluster.blocks.resize(shape_.cluster);
  const unsigned first_block = waiting_clusters_.back() * shape_.cluster;
  waiting_clusters_.pop_back();
  for (unsigned rank = 0; rank < shape_.cluster; ++rank) {
    Block& block = cluster.blocks[rank];
    block.cluster = &cluster;
    block.rank = rank;
    block.index = first_block + rank;
    block.slot = slot * shape_.cluster + rank;
    block.meetings.resize(warps_);
    for (unsigned i = 0; i < shape_.block; ++i) {
      auto& owner = threads_[std::size_t{block.slot} * warps_ * kWarpThreads + i];
      if (!owner) owner = std::make_unique<Thread>();
      Thread& thread = *owner;
      thread.block = &block;
      thread.index = i;
      thread.clock = {};
      thread.fiber.start(&Grid::run_thread);
      set_ready(thread);
    }
  }
}

void Grid::run_thread() {
  grid().entry_.call(grid().arguments_);
  grid().exit_current();
}

// The next thread by the order of the seed: 0 always the first ready one, 1 the last one, an even seed any, an odd seed
// stays with a warp as long as that has ready lanes. threads_.size() if none is ready.
unsigned Grid::pick() {
  const std::size_t warps = ready_.size();
  std::size_t warp = 0;
  if (seed_ >= 2) {
    const bool stay = seed_ % 2 == 1 && ready_[preferred_warp_] != 0;
    warp = stay ? preferred_warp_ : std::uniform_int_distribution<std::size_t>(0, warps - 1)(random_);
  }
  const auto at = [&](std::size_t step) { return seed_ == 1 ? warps - 1 - step : (warp + step) % warps; };
  std::size_t step = 0;
  while (step < warps && ready_[at(step)] == 0) ++step;
  if (step == warps) return static_cast<unsigned>(threads_.size());
  warp = preferred_warp_ = at(step);
  std::uint32_t& lanes = ready_[warp];
  int lane = seed_ == 1 ? 31 - std::countl_zero(lanes) : std::countr_zero(lanes);
  if (seed_ >= 2) {
    const int turn = static_cast<int>(random_() % kWarpThreads);
    lane = (std::countr_zero(std::rotr(lanes, turn)) + turn) % static_cast<int>(kWarpThreads);
  }
  lanes &= ~(1u << lane);
  return static_cast<unsigned>(warp) * kWarpThreads + static_cast<unsigned>(lane);
}

Thread& Grid::thread(const Block& block, unsigned index) {
  return *threads_[std::size_t{block.slot} * warps_ * kWarpThreads + index];
}

void Grid::set_ready(Thread& thread) {
  thread.state = State::ready;
  ready_[std::size_t{thread.block->slot} * warps_ + thread.index / kWarpThreads] |= 1u << thread.index % kWarpThreads;
}

void Grid::wait(State state) {
  Thread& self = *current_;
  self.state = state;
  self.fiber.leave(false);
}

void Grid::exit_current() {
  current_->state = State::exited;
  ++current_->block->exited;
  current_->fiber.leave(true);
}

bool Grid::chance(unsigned one_in) { return seed_ >= 2 && random_() % one_in == 0; }

std::string Grid::describe_current() const {
  if (current_ == nullptr) return "no thread running, seed " + std::to_string(seed_);
  return "thread " + std::to_string(current_->index) + " of block " + std::to_string(current_->block->index) +
         ", seed " + std::to_string(seed_);
}

// One line for each place where threads of a block wait, and one for the exited threads that they may be waiting for.
void Grid::report_deadlock() {
  std::string text = "deadlock";
  for (const auto& cluster : live_) {
    if (!cluster) continue;
    for (const Block& block : cluster->blocks) {
      std::vector<std::pair<std::string, std::vector<unsigned>>> groups;
      for (unsigned i = 0; i < shape_.block; ++i) {
        const Thread& waiting = thread(block, i);
        constexpr const char* kNames[] = {"ready", "wait at a block barrier, ", "wait at a warp barrier or exchange, ",
                                          "wait at a cluster barrier, ", "exited"};
        const bool exited = waiting.state == State::exited;
        std::string what = kNames[static_cast<int>(waiting.state)] + (exited ? "" : text_of(waiting.site));
        const auto same = [&](const auto& group) { return group.first == what; };
        auto group = std::find_if(groups.begin(), groups.end(), same);
        if (group == groups.end()) group = groups.insert(groups.end(), {std::move(what), {}});
        group->second.push_back(i);
      }
      for (const auto& [what, members] : groups)
        text += "\n  block " + std::to_string(block.index) + ": " + std::to_string(members.size()) + " threads (" +
                std::to_string(members.front()) + (members.size() > 1 ? ".." + std::to_string(members.back()) : "") +
                ") " + what;
    }
  }
  fault(text, "");
}

}  // namespace emulation_device
