#pragma once

/// What kernel text calls in the emulator, and what the emulator asks of compiled kernel text. Included by both, so no
/// standard header here: a kernel then compiles in a fraction of a second.

struct uint3 {
  unsigned x, y, z;
};
using dim3 = uint3;

extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

namespace emulation_device {

void block_barrier();
void warp_barrier(unsigned mask);
void cluster_arrive();
void cluster_wait();
unsigned cluster_rank();

enum class Exchange : unsigned { index, up, down, by_xor };
unsigned shuffle(Exchange, unsigned mask, unsigned word, unsigned lane_or_offset, unsigned width);
unsigned ballot(unsigned mask, bool predicate);

/// The copy of a shared variable that the running block owns; `site` is -1 until its first use.
void* shared_variable(int& site, unsigned long bytes, unsigned long alignment);
void* dynamic_shared();
unsigned dsmem_load(const void* address, unsigned rank);
void dsmem_store(void* address, unsigned rank, unsigned word);

/// Lets other threads run first under some seeds; called where their progress could be seen.
void maybe_yield();

/// Tells the race detector of accesses that the compiler does not (memcpy).
void note_access(const void* address, unsigned long bytes, bool writes);

/// One kernel function of a compiled unit; the table `emulation_kernels` ends with a null name.
struct KernelEntry {
  const char* name;
  void (*call)(void** arguments);
  const unsigned* argument_bytes;
  unsigned arguments;
};

}  // namespace emulation_device
