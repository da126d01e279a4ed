#include "fusion/record_edges.h"

#include <algorithm>

#include "fusion/bytes.h"

namespace torchweld::fusion {

using graph::Graph;
using graph::Value;

namespace {

class Recorder {
public:
  Recorder(const Units& units, Grouper& grouper)
      : units_(units), graph_(*units.graph), grouper_(grouper), writers_(writers_of(units, grouper.groups())),
        is_output_(units.base.size(), 0), place_(grouper.groups().size(), -1), first_reader_(units.base.size(), -1) {
    for (const Value output : graph_.outputs()) is_output_[index(output)] = 1;
    for (const std::size_t group : launch_order(units, grouper.groups()))
      if (!grouper.groups()[group].statements.empty()) order_.push_back(group);
  }

  Plan run() {
    for (const std::size_t group : order_) {
      place_[group] = static_cast<int>(plan_.groups.size());
      plan_.groups.push_back(grouper_.groups()[group]);
      add_reads(group);
      add_writes(plan_.groups.back());
      plan_.bytes_eager += plan_.groups.back().bytes_eager;
      plan_.bytes_planned += plan_.groups.back().bytes_read + plan_.groups.back().bytes_written;
    }
    for (const Value view : units_.input_views)
      plan_.views.push_back({view, units_.base_of(view), units_.memory[index(view)]->offset});
    for (const std::int64_t bytes : input_bytes_) plan_.bytes_ideal += bytes;
    return std::move(plan_);
  }

private:
  static std::size_t index(Value value) { return static_cast<std::size_t>(value.index); }

  void add_writes(const Group& group) {
    for (const Store& store : group.stores) {
      const Access& access = group.accesses[static_cast<std::size_t>(store.access)];
      if (is_output_[index(access.value)] != 0)
        plan_.bytes_ideal += bytes_of(group, access);
      else
        plan_.intermediates.push_back(access.value);
    }
  }

  void add_reads(std::size_t at) {
    const Group& group = grouper_.groups()[at];
    std::vector<Value> seen;
    for (std::size_t load = 0; load + group.stores.size() < group.accesses.size(); ++load) {
      const Value value = group.accesses[load].value;
      if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
      seen.push_back(value);
      add_read(at, value, bytes_read_of(graph_, group, value));
    }
  }

  void add_read(std::size_t reader, Value value, std::int64_t bytes) {
    const std::int32_t writer = writers_[index(value)];
    const bool first = first_reader_[index(value)] < 0;
    if (first) first_reader_[index(value)] = static_cast<std::int32_t>(reader);
    if (writer < 0) {
      input_bytes_.resize(writers_.size(), 0);
      auto& once = input_bytes_[index(value)];
      once = std::max(once, bytes);
      if (first) return;
    } else if (first && is_output_[index(value)] == 0) {
      bytes += graph::bytes_of(graph_.tensor(value));
    }
    const std::int32_t apart_from = writer < 0 ? first_reader_[index(value)] : writer;
    plan_.edges.push_back(Edge{.value = value,
                               .from_group = writer < 0 ? -1 : place_[static_cast<std::size_t>(writer)],
                               .to_group = place_[reader],
                               .refusal = grouper_.why_apart(apart_from, static_cast<std::int32_t>(reader)),
                               .bytes = bytes});
  }

  const Units& units_;
  const Graph& graph_;
  Grouper& grouper_;
  std::vector<std::int32_t> writers_;
  std::vector<char> is_output_;
  std::vector<std::size_t> order_;
  std::vector<int> place_;                  ///< per group of the grouper: its position in the plan
  std::vector<std::int32_t> first_reader_;  ///< per value
  std::vector<std::int64_t> input_bytes_;   ///< per value that is an input: what one read takes
  Plan plan_;
};

}  // namespace

Plan plan_of(const Units& units, Grouper& grouper) { return Recorder(units, grouper).run(); }

}  // namespace torchweld::fusion
