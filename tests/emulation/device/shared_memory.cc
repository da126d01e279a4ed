#include "shared_memory.h"

#include <cstring>
#include <new>
#include <utility>

#include "fault.h"
#include "grid.h"

namespace emulation_device {

unsigned char garbage_byte(unsigned seed) {
  constexpr unsigned char kBytes[] = {0xff, 0x7f, 0xfe};
  return kBytes[seed % 3];
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept : variables_(std::exchange(other.variables_, {})) {}

SharedMemory::~SharedMemory() {
  for (const Variable& v : variables_) ::operator delete (v.address, std::align_val_t{v.alignment});
}

SharedMemory::Variable& SharedMemory::variable(int site, std::size_t bytes, std::size_t alignment, unsigned seed) {
  const auto index = static_cast<std::size_t>(site);
  if (index >= variables_.size()) variables_.resize(index + 1);
  Variable& v = variables_[index];
  if (v.address == nullptr) {
    v.address = static_cast<std::byte*>(::operator new (bytes, std::align_val_t{alignment}));
    v.bytes = bytes;
    v.alignment = alignment;
    std::memset(v.address, garbage_byte(seed), bytes);
  }
  return v;
}

SharedMemory::Place SharedMemory::find(const void* address) const {
  const auto* p = static_cast<const std::byte*>(address);
  for (std::size_t site = 0; site < variables_.size(); ++site) {
    const Variable& v = variables_[site];
    if (p >= v.address && p < v.address + v.bytes)
      return {static_cast<int>(site), static_cast<std::size_t>(p - v.address)};
  }
  return {};
}

namespace {

constexpr int kDynamicSite = 0;
int sites = kDynamicSite + 1;

// The word of block `rank` that corresponds to `address` in the running block's shared memory.
void* remote_word(const void* address, unsigned rank, const Site& here) {
  const Thread& self = grid().current();
  const unsigned blocks = grid().shape().cluster;
  if (rank >= blocks)
    fault("shared memory of block " + std::to_string(rank) + " of a cluster of " + std::to_string(blocks),
          text_of(here));
  const auto place = self.block->shared.find(address);
  if (place.site < 0) fault("the address of a cluster access is not in shared memory", text_of(here));
  const auto& own = self.block->shared.at(place.site);
  if (place.offset % 4 != 0 || place.offset + 4 > own.bytes)
    fault("a cluster access is misaligned or beyond its variable of " + std::to_string(own.bytes) + " bytes",
          text_of(here));
  Block& other = self.block->cluster->blocks[rank];
  if (other.exited == grid().shape().block)
    fault("shared memory of block " + std::to_string(rank) + " of the cluster, which has exited", text_of(here));
  return other.shared.variable(place.site, own.bytes, own.alignment, grid().seed()).address + place.offset;
}

}  // namespace

void* shared_variable(int& site, unsigned long bytes, unsigned long alignment) {
  if (site < 0) site = sites++;
  return grid().current().block->shared.variable(site, bytes, alignment < 16 ? 16 : alignment, grid().seed()).address;
}

void* dynamic_shared() {
  return grid()
      .current()
      .block->shared.variable(kDynamicSite, grid().shape().dynamic_shared, 16, grid().seed())
      .address;
}

unsigned dsmem_load(const void* address, unsigned rank) {
  const Site here = site_here();
  maybe_yield();
  const void* p = remote_word(address, rank, here);
  if (watch_races) watch_access(p, 4, false, here);
  unsigned word;
  std::memcpy(&word, p, 4);
  return word;
}

void dsmem_store(void* address, unsigned rank, unsigned word) {
  const Site here = site_here();
  maybe_yield();
  void* p = remote_word(address, rank, here);
  if (watch_races) watch_access(p, 4, true, here);
  std::memcpy(p, &word, 4);
}

}  // namespace emulation_device
