#include "fault.h"
#include "grid.h"

// A thread that has exited never arrives anywhere: what waits for it is a deadlock, reported when nothing else can run.

namespace emulation_device {
namespace {

// All threads must meet at one place in the text; `first` is where the first of them arrived.
void meet(const char* what, bool is_first, Site& first, const Site& here) {
  if (is_first) first = here;
  if (!same_place(first, here))
    fault(std::string("threads meet at different ") + what + "s, the first arrived at " + text_of(first),
          text_of(here));
}

}  // namespace

void block_barrier() {
  Thread& self = grid().current();
  Block& block = *self.block;
  self.site = site_here();
  meet("block barrier", block.waiting == 0, block.first_site, self.site);
  const unsigned threads = grid().shape().block;
  if (++block.waiting == threads) {
    block.waiting = 0;
    for (unsigned i = 0; i < threads; ++i)
      if (i != self.index) grid().set_ready(grid().thread(block, i));
    // The last to arrive goes on in its turn like all others.
    grid().set_ready(self);
    self.fiber.leave(false);
  } else {
    grid().wait(State::block_barrier);
  }
  ++self.clock.block;
}

void cluster_arrive() {
  Thread& self = grid().current();
  Cluster& cluster = *self.block->cluster;
  self.site = site_here();
  if (self.clock.cluster_stamp != self.clock.cluster_passed)
    fault("a thread arrives twice at a cluster barrier", text_of(self.site));
  meet("cluster barrier", cluster.arrived == 0, cluster.first_site, self.site);
  ++self.clock.cluster_stamp;
  if (++cluster.arrived < grid().shape().block * grid().shape().cluster) return;
  cluster.arrived = 0;
  ++cluster.generation;
  for (Block& block : cluster.blocks)
    for (unsigned i = 0; i < grid().shape().block; ++i)
      if (Thread& other = grid().thread(block, i); other.state == State::cluster_barrier) grid().set_ready(other);
}

void cluster_wait() {
  Thread& self = grid().current();
  self.site = site_here();
  if (self.clock.cluster_stamp == self.clock.cluster_passed)
    fault("a thread waits at a cluster barrier without having arrived", text_of(self.site));
  if (self.block->cluster->generation < self.clock.cluster_stamp) {
    grid().wait(State::cluster_barrier);
  } else {
    grid().set_ready(self);
    self.fiber.leave(false);
  }
  ++self.clock.cluster_passed;
}

unsigned cluster_rank() { return grid().current().block->rank; }

void maybe_yield() {
  if (!grid().chance(2)) return;
  grid().set_ready(grid().current());
  grid().current().fiber.leave(false);
}

}  // namespace emulation_device
