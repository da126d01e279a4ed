#include "fusion/formation.h"

#include <algorithm>
#include <string>

#include "fusion/contexts.h"
#include "fusion/size_text.h"
#include "fusion/value_index.h"

namespace torchweld::fusion {

using graph::Dims;
using graph::Graph;
using graph::Node;
using graph::Value;

bool is_number(const Graph& graph, const Node& node, Value operand) {
  const auto* type = std::get_if<graph::TensorType>(&graph.type(operand));
  if (type == nullptr) return true;
  return type->sizes.empty() && type->device == graph::Device::host &&
         graph.tensor(node.results[0]).device == graph::Device::cuda;
}

namespace {

class Former {
public:
  Former(const Units& units, std::span<const std::int32_t> members, std::span<const std::int32_t> copied,
         bool share_views, Scratch& scratch)
      : units_(units), graph_(*units.graph), scratch_(scratch), members_(members), copied_(copied),
        values_(units, share_views, scratch, formed_) {
    for (const std::int32_t member : members_) scratch_.is_member[static_cast<std::size_t>(member)] = 1;
  }
  Former(const Former&) = delete;
  Former& operator=(const Former&) = delete;
  ~Former() {
    for (const std::int32_t member : members_) scratch_.is_member[static_cast<std::size_t>(member)] = 0;
  }

  std::variant<Formation, Refusal> run() {
    formed_.members.assign(members_.begin(), members_.end());
    assign_member_contexts();
    for (const std::int32_t member : members_)
      if (!values_.refusal()) visit(member);
    if (!values_.refusal()) plan_stores();
    if (values_.refusal()) return *values_.refusal();
    return std::move(formed_);
  }

private:
  [[nodiscard]] const Node& node_at(std::int32_t index) const {
    return graph_.nodes()[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] bool is_member(std::int32_t node) const {
    return node >= 0 && scratch_.is_member[static_cast<std::size_t>(node)] != 0;
  }
  void assign_member_contexts() {
    const bool has_cat = std::any_of(members_.begin(), members_.end(), [&](auto at) { return is_cat(node_at(at)); });
    if (!has_cat) return;
    contexts_ = assign_contexts(units_, members_, scratch_.is_member);
    if (contexts_.refusal)
      values_.refuse(contexts_.refusal->reason, contexts_.refusal->value, contexts_.refusal->details);
  }
  [[nodiscard]] int context_of(std::int32_t node) const {
    return contexts_.of_node.empty() ? 0 : contexts_.of_node[static_cast<std::size_t>(node)];
  }

  void visit(std::int32_t member) {
    const Node& node = node_at(member);
    if (graph::is_pointwise(*node.op))
      visit_pointwise(member, node);
    else if (graph::is_reduction(*node.op))
      visit_reduction(member, node);
    else if (is_cat(node))
      visit_cat(member, node);
    // Views and creations are indexed where they are used or stored.
  }

  void visit_pointwise(std::int32_t member, const Node& node) {
    const int context = context_of(member);
    std::vector<int> operands;
    std::vector<int> sources;
    for (const Value value : graph::values_of(node)) {
      const int operand = is_number(graph_, node, value) ? -1 : values_.find_or_add(value, context);
      if (values_.refusal()) return;
      if (operand >= 0) operands.push_back(operand);
      sources.push_back(operand < 0 ? -1 : values_.at(operand).source);
    }
    DimAxes dims;
    const Dims& sizes = graph_.tensor(node.results[0]).sizes;
    for (std::size_t dim = 0; dim < sizes.size(); ++dim)
      if (!add_common_dim(dims, node.results[0], operands, dim)) return;
    values_.add_member(node.results[0], context, std::move(dims), std::move(sources));
  }

  /// Appends dim `dim` of `result`: the axes of the operands' dims that broadcast to it, made to iterate together.
  bool add_common_dim(DimAxes& dims, Value result, const std::vector<int>& operands, std::size_t dim) {
    const Dims& sizes = graph_.tensor(result).sizes;
    std::vector<AxisId> common;
    for (const int operand : operands) {
      const Dims& operand_sizes = graph_.tensor(values_.at(operand).value).sizes;
      const std::size_t missing = sizes.size() - operand_sizes.size();
      if (dim < missing || operand_sizes[dim - missing] != sizes[dim]) continue;
      const auto axes = values_.at(operand).dims.dim(dim - missing);
      if (common.empty())
        common.assign(axes.begin(), axes.end());
      else if (!formed_.axes.unify(common, axes)) {
        values_.refuse(Reason::reshape_does_not_align, values_.at(operand).value,
                       text_of(operand_sizes) + " in " + text_of(sizes));
        return false;
      }
    }
    if (common.empty() && sizes[dim] != 1) common.push_back(formed_.axes.add(sizes[dim]));
    dims.add_dim(common);
    return true;
  }

  void visit_reduction(std::int32_t member, const Node& node) {
    const int operand = values_.find_or_add(source_of(node), context_of(member));
    if (operand < 0) return;
    Reducing reducing{
        .source = static_cast<int>(formed_.sources.size()), .input = values_.at(operand).dims.axes, .axes = {}};
    const Dims reduced = ints_of(node.operands[1]);
    DimAxes dims;
    for (std::size_t dim = 0; dim < values_.at(operand).dims.ends.size(); ++dim) {
      const auto axes = values_.at(operand).dims.dim(dim);
      if (std::find(reduced.begin(), reduced.end(), static_cast<std::int64_t>(dim)) == reduced.end())
        dims.add_dim(axes);
      else
        reducing.axes.insert(reducing.axes.end(), axes.begin(), axes.end());
    }
    formed_.reductions.push_back(std::move(reducing));
    values_.add_member(node.results[0], context_of(member), std::move(dims), {values_.at(operand).source});
  }

  void visit_cat(std::int32_t member, const Node& node) {
    const Value result = node.results[0];
    const Dims& sizes = graph_.tensor(result).sizes;
    const auto cat_dim = static_cast<std::size_t>(int_of(node.operands[1]));
    std::vector<int> operands;
    std::vector<int> sources;
    int context = contexts_.first[static_cast<std::size_t>(member)];
    for (const Value value : graph::values_of(node)) {
      const bool empty = sizes[cat_dim] != 0 && graph_.tensor(value).sizes[cat_dim] == 0;
      const int operand = empty ? -1 : values_.find_or_add(value, context);
      if (values_.refusal()) return;
      ++context;
      if (empty) continue;
      operands.push_back(operand);
      sources.push_back(values_.at(operand).source);
    }
    DimAxes dims;
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
      if (dim == cat_dim)
        dims.add_dim(formed_.axes.add_dims({sizes[dim]}).axes);
      else if (!add_common_dim(dims, result, operands, dim))
        return;
    }
    add_windows(operands, cat_dim, dims);
    values_.add_member(result, context_of(member), std::move(dims), std::move(sources));
  }

  void add_windows(const std::vector<int>& operands, std::size_t cat_dim, const DimAxes& dims) {
    std::int64_t begin = 0;
    const auto whole = dims.dim(cat_dim);
    for (const int operand : operands) {
      const auto part = values_.at(operand).dims.dim(cat_dim);
      const std::int64_t size = graph_.tensor(values_.at(operand).value).sizes[cat_dim];
      formed_.windows.push_back(Window{.cat = static_cast<int>(formed_.sources.size()),
                                       .value = values_.at(operand).value,
                                       .part = {part.begin(), part.end()},
                                       .whole = {whole.begin(), whole.end()},
                                       .begin = begin,
                                       .size = size});
      begin += size;
    }
  }

  [[nodiscard]] bool is_read_outside(std::int32_t member) const {
    if (std::find(copied_.begin(), copied_.end(), member) != copied_.end()) return false;
    const auto consumers = units_.consumers.of(member);
    return std::any_of(consumers.begin(), consumers.end(), [&](std::int32_t unit) { return !is_member(unit); });
  }

  void plan_stores() {
    for (const std::int32_t member : members_) {
      const auto& outputs = units_.stored[static_cast<std::size_t>(member)];
      const Value result = node_at(member).results[0];
      for (const Value output : outputs) plan_store(output);
      if (is_read_outside(member) && std::find(outputs.begin(), outputs.end(), result) == outputs.end())
        plan_store(result);
    }
  }

  void plan_store(Value value) {
    StoreSite site = store_site(units_, value);
    const int indexed = values_.refusal() ? kRefused : values_.find_or_add(site.value, 0);
    if (indexed < 0) return;
    formed_.stores.push_back(PlannedStore{.value = value,
                                          .source = values_.at(indexed).source,
                                          .dims = values_.at(indexed).dims,
                                          .strides = std::move(site.strides)});
  }

  const Units& units_;
  const Graph& graph_;
  Scratch& scratch_;
  std::span<const std::int32_t> members_;
  std::span<const std::int32_t> copied_;
  Contexts contexts_;
  Formation formed_;
  ValueIndex values_;
};

}  // namespace

std::variant<Formation, Refusal> form(const Units& units, std::span<const std::int32_t> members,
                                      std::span<const std::int32_t> copied, bool share_views, Scratch& scratch) {
  return Former(units, members, copied, share_views, scratch).run();
}

}  // namespace torchweld::fusion
