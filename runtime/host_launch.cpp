// Compiled with OpenMP, as LibTorch is: else at::parallel_for, which is inline, runs on one thread.
#include "runtime/host_launch.h"

#include <ATen/Parallel.h>

namespace torchweld::runtime {

void launch_host(const Step& step, const void* const* arguments) {
  const auto entry = step.kernel->host_entry;
  at::parallel_for(0, step.launch.grid, step.grain,
                   [entry, arguments](std::int64_t begin, std::int64_t end) { entry(arguments, begin, end); });
}

}  // namespace torchweld::runtime
