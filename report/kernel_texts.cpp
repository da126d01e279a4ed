#include "report/kernel_texts.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "runtime/nvrtc.h"
#include "runtime/runtime.h"
#include "runtime/target.h"
#include "torchweld/error.h"

namespace torchweld::report {
namespace {

codegen::Target target_from(const std::string& target) {
  if (target == "cpp") return {};
  if (!target.starts_with("sm_"))
    throw Error(fmt::format("kernels: target is '{}', expected cpp or a CUDA architecture such as sm_90", target));
  return runtime::target_from_arch(target);
}

/// The kernels of a program as they ran, or printed again from its plan for another target.
std::vector<codegen::Kernel> kernels_for(const codegen::Program& program, const std::string& target) {
  if (target.empty()) return program.kernels;
  std::vector<codegen::Kernel> kernels;
  for (const fusion::Group& group : program.plan.groups)
    for (codegen::Kernel& kernel : codegen::print_kernels(program.graph, group, target_from(target)))
      kernels.push_back(std::move(kernel));
  return kernels;
}

/// Compiles all of them, a thread for each processor.
void compile_all(std::vector<KernelText>& kernels, const std::string& arch) {
  std::vector<std::string> failures(kernels.size());
  runtime::Runtime::get().pool.run_all(kernels.size(), [&](std::size_t i) {
    try {
      auto compiled = runtime::compile_cubin({codegen::Backend::cuda, kernels[i].name, kernels[i].text, arch});
      const runtime::Resources& used = compiled.resources;
      kernels[i].resources = Resources{used.registers, used.shared_bytes, used.spill_bytes};
      kernels[i].cubin = std::move(compiled.binary);
    } catch (const std::exception& error) {
      failures[i] = error.what();
    }
  });
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (!failures[i].empty())
      throw InternalError(fmt::format("kernel {} does not compile for {}: {}", kernels[i].name, arch, failures[i]));
}

}  // namespace

std::vector<KernelText> kernel_texts(const std::vector<CollectedRegion>& regions, const std::string& target) {
  if (!target.empty()) (void)target_from(target);  // refuse it even when there are no kernels
  std::vector<KernelText> texts;
  std::set<std::string> seen;
  for (const CollectedRegion& region : regions) {
    for (const runtime::PlanStatistics& plan : region.statistics.plans) {
      if (!plan.program) continue;
      const std::vector<codegen::Kernel> kernels = kernels_for(*plan.program, target);
      for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (!seen.insert(kernels[i].text).second) continue;
        texts.push_back({kernels[i].name, kernels[i].schedule, region.name, kernels[i].text, std::nullopt, {}});
        if (target.empty() && i < plan.kernels.size() && plan.kernels[i].resources.registers > 0) {
          const runtime::Resources& used = plan.kernels[i].resources;
          texts.back().resources = Resources{used.registers, used.shared_bytes, used.spill_bytes};
        }
      }
    }
  }
  if (target.starts_with("sm_")) compile_all(texts, target);
  return texts;
}

std::string json_of(const std::vector<KernelText>& kernels) {
  auto list = nlohmann::ordered_json::array();
  for (const KernelText& kernel : kernels) {
    nlohmann::ordered_json entry{
        {"name", kernel.name}, {"schedule", kernel.schedule}, {"region", kernel.region}, {"text", kernel.text}};
    if (kernel.resources) {
      entry["registers"] = kernel.resources->registers;
      entry["shared_bytes"] = kernel.resources->shared_bytes;
      entry["spilled_bytes"] = kernel.resources->spilled_bytes;
    }
    list.push_back(std::move(entry));
  }
  return list.dump();
}

}  // namespace torchweld::report
