#include <bit>
#include <functional>
#include <unordered_map>

#include "graph/op.h"
#include "graph/passes.h"
#include "graph/rewrite.h"

namespace torchweld::graph {
namespace {

void mix(std::size_t& seed, std::size_t value) { seed = (seed ^ value) * 0x9e3779b97f4a7c15U + (seed >> 31U); }

std::size_t hash_of(const Operand& operand) {
  std::size_t seed = operand.held.index();
  if (const Value* value = operand.value()) mix(seed, static_cast<std::size_t>(value->index));
  if (const auto* number = std::get_if<std::int64_t>(&operand.held)) mix(seed, static_cast<std::size_t>(*number));
  if (const auto* number = std::get_if<double>(&operand.held))
    mix(seed, *number == *number ? std::bit_cast<std::uint64_t>(*number) : 1U);  // one hash for every NaN
  if (const auto* truth = std::get_if<bool>(&operand.held)) mix(seed, *truth ? 1U : 0U);
  if (const auto* text = std::get_if<std::string>(&operand.held)) mix(seed, std::hash<std::string>{}(*text));
  if (const Operand::List* list = operand.list())
    for (const Operand& element : *list) mix(seed, hash_of(element));
  return seed;
}

std::size_t hash_of(const Op* op, const std::vector<Operand>& operands) {
  std::size_t seed = std::hash<const Op*>{}(op);
  for (const Operand& operand : operands) mix(seed, hash_of(operand));
  return seed;
}

class Merging {
public:
  explicit Merging(const Graph& graph) : graph_(graph), rewrite_(graph), is_output_(count(graph)) {
    for (const Value output : graph.outputs()) is_output_[static_cast<std::size_t>(output.index)] = true;
    seen_.reserve(graph.nodes().size());
  }

  Graph run() {
    for (const Node& node : graph_.nodes()) {
      std::vector<Operand> operands = rewrite_.renamed(node.operands);
      const std::size_t hash = hash_of(node.op, operands);
      if (const Node* equal = find(node, operands, hash)) {
        for (std::size_t i = 0; i < node.results.size(); ++i) merge(node.results[i], equal->results[i]);
      } else {
        rewrite_.copy(node, std::move(operands));
        seen_.emplace(hash, &node);
      }
    }
    return rewrite_.finish();
  }

private:
  static std::size_t count(const Graph& graph) { return static_cast<std::size_t>(graph.num_values()); }

  const Node* find(const Node& node, const std::vector<Operand>& operands, std::size_t hash) {
    const auto [begin, end] = seen_.equal_range(hash);
    for (auto entry = begin; entry != end; ++entry) {
      const Node& other = *entry->second;
      if (other.op == node.op && can_stand_for(other, node) && rewrite_.renamed(other.operands) == operands)
        return &other;
    }
    return nullptr;
  }

  void merge(Value merged, Value kept) {
    rewrite_.rename(merged, rewrite_.renamed(kept));
    if (is_output(merged)) is_output_[static_cast<std::size_t>(kept.index)] = true;
  }

  /// Equal types; and two outputs stay two, since a caller may write into one of them.
  bool can_stand_for(const Node& kept, const Node& merged) const {
    if (kept.results.size() != merged.results.size()) return false;
    for (std::size_t i = 0; i < kept.results.size(); ++i) {
      if (graph_.type(kept.results[i]) != graph_.type(merged.results[i])) return false;
      if (is_output(kept.results[i]) && is_output(merged.results[i])) return false;
    }
    return true;
  }
  bool is_output(Value value) const { return is_output_[static_cast<std::size_t>(value.index)]; }

  const Graph& graph_;
  Rewrite rewrite_;
  std::vector<bool> is_output_;
  std::unordered_multimap<std::size_t, const Node*> seen_;
};

}  // namespace

/// Computes equal expressions once: the first of equal nodes stands for the others.
Graph merge_common_subexpressions(const Graph& graph) { return Merging(graph).run(); }

}  // namespace torchweld::graph
