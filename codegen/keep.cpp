#include "codegen/keep.h"

#include <algorithm>
#include <optional>

namespace torchweld::codegen {
namespace {

using fusion::Statement;

/// Costs a thread, in additions. Up to kFreeRegisters a register held over a phase costs almost nothing; near the limit
/// it costs a spill.
constexpr double kFreeRegisters = 32, kFreeCost = 0.5, kCost = 2, kSpillCost = 100;
/// Registers that a kernel needs beside the values it keeps.
constexpr int kOtherRegisters = 24;
/// Reading a row again, from the second-level cache at best; a row that all rows share is near.
constexpr int kReloadWeight = 40, kReloadSharedWeight = 4;

bool is_online_sum(const LoopNest& nest, int statement) {
  return std::any_of(nest.onlines.begin(), nest.onlines.end(),
                     [&](const OnlineSoftmax& online) { return online.sum == statement; });
}

bool is_inner_store(const LoopNest& nest, const fusion::Store& store) {
  if (!nest.reduces) return true;
  return nest.steps[static_cast<std::size_t>(store.statement.index)].inner ||
         !nest.accesses[static_cast<std::size_t>(store.access)].inner.is_zero();
}

class Needs {
public:
  Needs(const LoopNest& nest, const Kept& kept, int phase)
      : nest_(nest), kept_(kept), phase_(phase), needed_(nest.steps.size()) {}

  void need(const fusion::Input& input) {
    if (const auto* index = std::get_if<fusion::StatementIndex>(&input)) need(index->index);
  }
  void need(int statement) {
    const auto i = static_cast<std::size_t>(statement);
    if (!nest_.steps[i].inner || needed_[i]) return;
    needed_[i] = true;
    if (is_kept(i)) return;
    const Statement& of = nest_.group->statements[i];
    if (const auto* pointwise = std::get_if<fusion::Pointwise>(&of.body))
      for (const fusion::Input& input : pointwise->inputs) need(input);
    if (const auto* choose = std::get_if<fusion::Choose>(&of.body))
      for (const fusion::Input& input : choose->inputs) need(input);
  }
  void list(PhaseWork& work) const {
    for (std::size_t i = 0; i < needed_.size(); ++i)
      if (needed_[i]) (is_kept(i) ? work.reused : work.statements).push_back(static_cast<int>(i));
  }

private:
  [[nodiscard]] bool is_kept(std::size_t i) const {
    return kept_.keep[i] && kept_.first_phase[i] >= 0 && kept_.first_phase[i] < phase_;
  }

  const LoopNest& nest_;
  const Kept& kept_;
  int phase_;
  std::vector<bool> needed_;
};

struct Usage {
  std::vector<PhaseWork> phases;
  std::vector<int> last_phase;  ///< per statement: the last phase that uses it as kept
};

Usage use_phases(const LoopNest& nest, Kept& kept) {
  const fusion::Group& group = *nest.group;
  Usage usage;
  usage.last_phase.assign(nest.steps.size(), -1);
  std::fill(kept.first_phase.begin(), kept.first_phase.end(), -1);
  for (int phase = 0; phase < nest.num_phases; ++phase) {
    PhaseWork work;
    Needs needs(nest, kept, phase);
    for (std::size_t i = 0; i < group.statements.size(); ++i) {
      const auto* reduce = std::get_if<fusion::Reduce>(&group.statements[i].body);
      if (!reduce || nest.steps[i].phase != phase + 1 || is_online_sum(nest, static_cast<int>(i))) continue;
      work.reductions.push_back(static_cast<int>(i));
      needs.need(reduce->input.index);
    }
    for (std::size_t s = 0; s < group.stores.size(); ++s) {
      const fusion::Store& store = group.stores[s];
      if (nest.steps[static_cast<std::size_t>(store.statement.index)].phase != phase || !is_inner_store(nest, store))
        continue;
      work.stores.push_back(static_cast<int>(s));
      needs.need(store.statement.index);
    }
    needs.list(work);
    for (const int i : work.statements)
      if (int& first = kept.first_phase[static_cast<std::size_t>(i)]; first < 0) first = phase;
    for (const int i : work.reused) usage.last_phase[static_cast<std::size_t>(i)] = phase;
    usage.phases.push_back(std::move(work));
  }
  return usage;
}

int words_of(const LoopNest& nest, std::size_t i) {
  const Statement& statement = nest.group->statements[i];
  if (std::holds_alternative<fusion::Load>(statement.body)) return graph::size_of(statement.dtype);
  return std::max(4, graph::size_of(graph::compute_dtype(statement.dtype)));
}

/// Of computing statement `i` once more than needed.
int repeat_weight(const LoopNest& nest, std::size_t i) {
  const Statement& statement = nest.group->statements[i];
  const auto* load = std::get_if<fusion::Load>(&statement.body);
  if (!load) return weight_of(statement);
  return nest.accesses[static_cast<std::size_t>(load->access)].rows.is_zero() ? kReloadSharedWeight : kReloadWeight;
}

double cost_of(const LoopNest& nest, Kept& kept, int elements, int registers) {
  const Usage usage = use_phases(nest, kept);
  double cost = 0;
  for (int phase = 0; phase < nest.num_phases; ++phase) {
    for (const int i : usage.phases[static_cast<std::size_t>(phase)].statements)
      cost += elements * repeat_weight(nest, static_cast<std::size_t>(i));
    double held = 0;
    for (std::size_t i = 0; i < kept.keep.size(); ++i)
      if (kept.keep[i] && kept.first_phase[i] >= 0 && kept.first_phase[i] <= phase && usage.last_phase[i] > phase)
        held += elements * words_of(nest, i) / 4.0;
    const double limit = registers - kOtherRegisters;
    cost += kFreeCost * held + kCost * std::max(0.0, held - kFreeRegisters) + kSpillCost * std::max(0.0, held - limit);
  }
  return cost;
}

/// Takes the best of all single steps: to keep a value no longer, or its inputs in its place. False when none helps.
bool improve(const LoopNest& nest, Kept& best, double& best_cost, int elements, int registers) {
  std::optional<std::vector<bool>> better;
  const auto try_one = [&](const std::vector<bool>& keep) {
    Kept candidate{keep, best.first_phase};
    const double cost = cost_of(nest, candidate, elements, registers);
    if (cost >= best_cost) return;
    best_cost = cost;
    better = keep;
  };
  for (std::size_t i = 0; i < best.keep.size(); ++i) {
    if (!best.keep[i]) continue;
    std::vector<bool> keep = best.keep;
    keep[i] = false;
    try_one(keep);
    const auto* pointwise = std::get_if<fusion::Pointwise>(&nest.group->statements[i].body);
    if (!pointwise) continue;
    for (const fusion::Input& input : pointwise->inputs)
      if (const auto* index = std::get_if<fusion::StatementIndex>(&input))
        keep[static_cast<std::size_t>(index->index)] = nest.steps[static_cast<std::size_t>(index->index)].inner;
    try_one(keep);
  }
  if (better) best.keep = *better;
  return better.has_value();
}

}  // namespace

int weight_of(const Statement& statement) {
  const auto* pointwise = std::get_if<fusion::Pointwise>(&statement.body);
  if (!pointwise) return 1;
  const auto* expression = std::get_if<graph::Expr>(&pointwise->op->body);
  if (!expression) return 1;
  if (expression->text.find("tw_select") != std::string_view::npos) return 1;
  if (expression->text.find("tw_max") != std::string_view::npos) return 1;
  if (expression->text.find("tw_min") != std::string_view::npos) return 1;
  if (expression->text.find("tw_") != std::string_view::npos) return 10;
  return expression->text.find('/') != std::string_view::npos ? 6 : 1;
}

std::vector<PhaseWork> work_of_phases(const LoopNest& nest, Kept& kept) { return use_phases(nest, kept).phases; }

Kept keep_nothing(const LoopNest& nest) {
  return {std::vector<bool>(nest.steps.size(), false), std::vector<int>(nest.steps.size(), -1)};
}

Kept choose_kept(const LoopNest& nest, int elements, int registers) {
  Kept best = keep_nothing(nest);
  if (nest.num_phases == 1) return best;
  for (std::size_t i = 0; i < nest.steps.size(); ++i) best.keep[i] = nest.steps[i].inner;
  double best_cost = cost_of(nest, best, elements, registers);
  const Usage usage = use_phases(nest, best);
  for (std::size_t i = 0; i < nest.steps.size(); ++i)
    if (usage.last_phase[i] < 0) best.keep[i] = false;  // no later phase uses it
  while (improve(nest, best, best_cost, elements, registers)) continue;
  (void)use_phases(nest, best);
  return best;
}

}  // namespace torchweld::codegen
