#include "races.h"

#include "fault.h"
#include "grid.h"

// Kernel text compiled with -fsanitize=thread calls __tsan_* before each access; these are the emulator's own, since
// the threads of a block are fibers that ThreadSanitizer does not know. Only shared memory is watched.

namespace emulation_device {
namespace {

bool ordered(const Access& before, const Thread& now) {
  const Thread& then = *before.thread;
  if (&then == &now || before.cluster < now.clock.cluster_passed) return true;
  if (then.block != now.block) return false;
  if (before.block < now.clock.block) return true;
  return then.index / kWarpThreads == now.index / kWarpThreads && before.warp < now.clock.warp;
}

std::string name_of(const Thread& thread) {
  return "thread " + std::to_string(thread.index) + " of block " + std::to_string(thread.block->index);
}

void check(const Access& before, bool wrote, const Thread& now, bool writes, const Site& here) {
  if (before.thread == nullptr || ordered(before, now)) return;
  fault(std::string("race on shared memory: ") + name_of(now) + (writes ? " writes" : " reads") + " what " +
            name_of(*before.thread) + (wrote ? " wrote" : " read") + " at " + text_of({before.site}) +
            " with no barrier between",
        text_of(here));
}

void note_byte(Shadow::Byte& byte, const Access& access, bool writes, const Site& here) {
  const Thread& self = *access.thread;
  if (!writes && byte.write.thread == nullptr)
    fault("shared memory is read before anything was written", text_of(here));
  check(byte.write, true, self, writes, here);
  if (writes) {
    for (const Access& read : byte.reads) check(read, false, self, true, here);
    byte.write = access;
    byte.reads = {};
    return;
  }
  if (byte.reads[0].thread != &self) byte.reads[1] = byte.reads[0];
  byte.reads[0] = access;
}

}  // namespace

bool watch_races = false;

void watch_access(const void* address, std::size_t bytes, bool writes, const Site& here) {
  Thread& self = grid().current();
  for (Block& block : self.block->cluster->blocks) {
    const auto place = block.shared.find(address);
    if (place.site < 0) continue;
    auto& variable = block.shared.at(place.site);
    if (place.offset + bytes > variable.bytes) fault("an access beyond a shared variable", text_of(here));
    if (!variable.shadow) {
      variable.shadow = std::make_unique<Shadow>();
      variable.shadow->bytes.resize(variable.bytes);
    }
    const Access access{&self, self.clock.block, self.clock.warp, self.clock.cluster_stamp, here[0]};
    for (std::size_t i = 0; i < bytes; ++i) note_byte(variable.shadow->bytes[place.offset + i], access, writes, here);
  }
}

void note_access(const void* address, unsigned long bytes, bool writes) {
  if (watch_races) watch_access(address, bytes, writes, site_here());
}

}  // namespace emulation_device

using emulation_device::site_here;
using emulation_device::watch_access;

#define WATCH(n)                                                                                                       \
  void __tsan_read##n(void* p) { watch_access(p, n, false, site_here()); }                                             \
  void __tsan_write##n(void* p) { watch_access(p, n, true, site_here()); }                                             \
  void __tsan_unaligned_read##n(void* p) { watch_access(p, n, false, site_here()); }                                   \
  void __tsan_unaligned_write##n(void* p) { watch_access(p, n, true, site_here()); }
extern "C" {
WATCH(1)
WATCH(2)
WATCH(4)
WATCH(8)
WATCH(16)
void __tsan_read_range(void* p, unsigned long bytes) { watch_access(p, bytes, false, site_here()); }
void __tsan_write_range(void* p, unsigned long bytes) { watch_access(p, bytes, true, site_here()); }
void __tsan_vptr_update(void*, void*) {}
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
}
