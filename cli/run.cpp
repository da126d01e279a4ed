#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "cli/commands.h"
#include "cli/compare.h"
#include "cli/terminal.h"
#include "report/collect.h"
#include "report/describe.h"
#include "torchweld/torchweld.h"

namespace torchweld::cli {
namespace {

struct Times {
  double first = 0;           ///< plans and compiles
  std::vector<double> later;  ///< seconds of each call after the first

  [[nodiscard]] double median() const {
    std::vector<double> sorted = later;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }
};

/// Where the largest error of each output is kept over all calls.
void keep_worst(std::vector<Comparison>& worst, std::vector<Comparison> found) {
  if (worst.size() != found.size()) {
    worst = std::move(found);
    return;
  }
  for (std::size_t i = 0; i < worst.size(); ++i)
    if (worst[i].ok() && !(found[i].ok() && found[i].error <= worst[i].error)) worst[i] = std::move(found[i]);
}

c10::IValue timed_call(const ModelCall& request, torch::jit::Module& module, bool first, Times& times) {
  double seconds = 0;
  c10::IValue result = first ? first_call(request, module, &seconds) : call(request, module, &seconds);
  if (first)
    times.first = seconds;
  else
    times.later.push_back(seconds);
  return result;
}

bool print_comparisons(const std::vector<Comparison>& comparisons) {
  bool all_ok = true;
  for (const Comparison& leaf : comparisons) {
    all_ok = all_ok && leaf.ok();
    const std::string verdict = leaf.ok() ? paint(Colour::green, "ok") : paint(Colour::red, "DIFFERS");
    if (leaf.problem.empty())
      fmt::print("check       {} {}: largest error {:.1e}, allowed {:.1e}: {}\n", leaf.name, leaf.type, leaf.error,
                 leaf.allowed, verdict);
    else
      fmt::print("check       {} {}: {}\n", leaf.name, leaf.problem, verdict);
  }
  return all_ok;
}

}  // namespace

int run_model(const RunOptions& options) {
  const Options optimizer = options_from_strings(options.optimize);
  ModelCall request = load_call(options.call);
  torch::jit::Module reference = request.module.deepcopy();  // models may keep state: each side has its own
  auto [fused, outcome] = optimize_with_outcome(request.module, optimizer);

  Times ours, theirs;
  std::vector<Comparison> worst;
  for (int i = 0; i <= options.iterations; ++i) {
    const c10::IValue result = timed_call(request, fused, i == 0, ours);
    if (!options.check) continue;
    const c10::IValue expected = timed_call(request, reference, i == 0, theirs);
    keep_worst(worst, compare(result, expected, options.tolerance));
  }

  const report::Totals totals = report::totals_of(report::collect(fused, &outcome, request.method));
  fmt::print("model       {}, {}, on {}\n", std::filesystem::path(options.call.model).filename().string(),
             request.method, options.call.device);
  fmt::print("inputs      {}\n", report::describe_inputs(request.inputs));
  if (!outcome.refusal.empty()) fmt::print("not fused   {}\n", outcome.refusal);
  fmt::print("regions     {}, with {} of the {} ops that could be fused\n", totals.regions, totals.ops_fused,
             totals.ops_fusable);
  fmt::print("kernels     {} before, {} after\n", totals.kernels_before, totals.kernels_after);
  if (totals.fallback_calls > 0)
    fmt::print("fallbacks   {} calls of regions ran the original nodes: see torchweld report\n", totals.fallback_calls);
  fmt::print("first call  {:.1f} ms, planning and compiling included\n", ours.first * 1e3);
  fmt::print("later       {:.3f} ms a call, median of {}\n", ours.median() * 1e3, ours.later.size());
  if (!options.check) return 0;
  fmt::print("before      {:.3f} ms a call in TorchScript\n", theirs.median() * 1e3);
  return print_comparisons(worst) ? 0 : 1;
}

}  // namespace torchweld::cli
