#include <fmt/format.h>

#include "cli/commands.h"
#include "report/kernel_texts.h"
#include "torchweld/torchweld.h"

namespace torchweld::cli {

int print_kernels(const KernelsOptions& options) {
  const Options optimizer = options_from_strings(options.optimize);
  ModelCall request = load_call(options.call);
  auto [fused, outcome] = optimize_with_outcome(request.module, optimizer);
  call(request, fused);

  const std::string arch = optimizer.arch.empty() ? "sm_90" : optimizer.arch;
  const std::string target = options.emit == "cuda" ? arch : options.emit;
  const auto kernels = report::kernel_texts(report::regions_of(fused, &outcome, request.method, {}), target);
  for (const report::KernelText& kernel : kernels) {
    fmt::print("// {}, in {}: {}", kernel.name, kernel.region, kernel.schedule);
    if (kernel.resources)
      fmt::print("; {} registers, {} bytes of shared memory, {} bytes spilled", kernel.resources->registers,
                 kernel.resources->shared_bytes, kernel.resources->spilled_bytes);
    fmt::print("\n{}\n", kernel.text);
  }
  return 0;
}

}  // namespace torchweld::cli
