#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/report.h"
#include "runtime/statistics.h"

namespace torch::jit {
struct Module;
}

namespace torchweld::report {

/// How often each plan was called so far. Plans belong to the process: to see what one call of a module uses, take
/// this before it.
using PlanCalls = std::map<const codegen::Program*, std::uint64_t>;
[[nodiscard]] PlanCalls plan_calls(const torch::jit::Module& module);

/// A region of a method, and what happened to it so far.
struct CollectedRegion {
  std::string name;
  std::vector<std::string> ops;
  std::vector<std::string> lines;
  runtime::RegionStatistics statistics;
};

/// The regions of `method` in the order of the graph, and those that no method of `outcome` describes, since an earlier
/// optimize made them; all regions of the module when `outcome` is null, as for a loaded file. Plans without a call
/// since `before` are left out.
[[nodiscard]] std::vector<CollectedRegion> regions_of(const torch::jit::Module& module, const Outcome* outcome,
                                                      const std::string& method, const PlanCalls& before);

/// What optimize, planning and the calls of `module` recorded; `model` and `inputs` are left to the caller. Throws
/// Error when the module has no such method.
[[nodiscard]] Report collect(const torch::jit::Module& module, const Outcome* outcome, const std::string& method,
                             const PlanCalls& before = {});

}  // namespace torchweld::report
