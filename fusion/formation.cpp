#include "fusion/formation.h"

#include <algorithm>
#include <string>

#include "fusion/contexts.h"
#include "fusion/size_text.h"
#include "torchweld/error.h"

namespace torchweld::fusion {

using graph::Dims;
using graph::Graph;
using graph::Node;
using graph::Value;
using graph::ViewKind;

bool is_number(const Graph& graph, const Node& node, Value operand) {
  const auto* type = std::get_if<graph::TensorType>(&graph.type(operand));
  if (type == nullptr) return true;
  return type->sizes.empty() && type->device == graph::Device::host &&
         graph.tensor(node.results[0]).device == graph::Device::cuda;
}

namespace {

/// A value inside the group. Views share the source of what they are views of.
struct Indexed {
  Value value;
  int context = 0;
  int source = -1;
  DimAxes dims;
};

constexpr int kRefused = -1;

class Former {
public:
  Former(const Units& units, std::span<const std::int32_t> members, std::span<const std::int32_t> copied,
         bool share_views, Scratch& scratch)
      : units_(units), graph_(*units.graph), share_views_(share_views), scratch_(scratch), members_(members),
        copied_(copied) {
    for (const std::int32_t member : members_) scratch_.is_member[static_cast<std::size_t>(member)] = 1;
  }
  Former(const Former&) = delete;
  Former& operator=(const Former&) = delete;
  ~Former() {
    for (const std::int32_t member : members_) scratch_.is_member[static_cast<std::size_t>(member)] = 0;
    for (const Indexed& entry : indexed_) scratch_.indexed_at[static_cast<std::size_t>(entry.value.index)] = -1;
  }

  std::variant<Formation, Refusal> run() {
    formed_.members.assign(members_.begin(), members_.end());
    assign_member_contexts();
    for (const std::int32_t member : members_)
      if (!refusal_) visit(member);
    if (!refusal_) plan_stores();
    if (refusal_) return *refusal_;
    return std::move(formed_);
  }

private:
  [[nodiscard]] const Node& node_at(std::int32_t index) const {
    return graph_.nodes()[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] bool is_member(std::int32_t node) const {
    return node >= 0 && scratch_.is_member[static_cast<std::size_t>(node)] != 0;
  }
  int refuse(Reason reason, Value value, std::string details) {
    if (!refusal_) refusal_ = Refusal{reason, value, std::move(details)};
    return kRefused;
  }

  void assign_member_contexts() {
    const bool has_cat = std::any_of(members_.begin(), members_.end(), [&](auto at) { return is_cat(node_at(at)); });
    if (!has_cat) return;
    contexts_ = assign_contexts(units_, members_, scratch_.is_member);
    refusal_ = contexts_.refusal;
  }
  [[nodiscard]] int context_of(std::int32_t node) const {
    return contexts_.of_node.empty() ? 0 : contexts_.of_node[static_cast<std::size_t>(node)];
  }

  [[nodiscard]] int find(Value value, int context) const {
    const int at = scratch_.indexed_at[static_cast<std::size_t>(value.index)];
    if (at < 0 || indexed_[static_cast<std::size_t>(at)].context == context) return at;
    for (std::size_t other = 0; other < indexed_.size(); ++other)
      if (indexed_[other].value == value && indexed_[other].context == context) return static_cast<int>(other);
    return -1;
  }
  int remember(Indexed entry) {
    const auto at = static_cast<int>(indexed_.size());
    int& known = scratch_.indexed_at[static_cast<std::size_t>(entry.value.index)];
    if (known < 0) known = at;
    indexed_.push_back(std::move(entry));
    return at;
  }
  [[nodiscard]] const Indexed& at(int index) const { return indexed_[static_cast<std::size_t>(index)]; }

  int add_source(Source source, std::vector<int> operands) {
    formed_.sources.push_back(std::move(source));
    formed_.operands.push_back(std::move(operands));
    return static_cast<int>(formed_.sources.size() - 1);
  }

  /// Reads memory through axes of its own.
  int read(Value value, int context, Value base, const MemoryView& memory) {
    DimAxes dims = formed_.axes.add_dims(graph_.tensor(value).sizes);
    const int source =
        add_source(Source{.value = value, .is_member = false, .dims = dims, .base = base, .memory = memory}, {});
    return remember({.value = value, .context = context, .source = source, .dims = std::move(dims)});
  }

  /// The place of `value` in indexed_, or kRefused.
  int index(Value value, int context) {
    if (const int known = find(value, context); known >= 0) return known;
    const std::int32_t unit = units_.unit_behind(value);
    if (is_member(unit)) return index_inside(value, unit, context);
    const std::int32_t producer = graph_.producer(value);
    const bool plain_view = producer >= 0 && !units_.unit(producer) && graph::is_view(*node_at(producer).op);
    const auto& memory = units_.memory[static_cast<std::size_t>(value.index)];
    const Value base = units_.base_of(value);
    const bool created = unit < 0 && graph_.producer(base) >= 0;
    if (memory && plain_view && share_views_ && !created && view_of(node_at(producer))->kind != ViewKind::slice) {
      formed_.shared_views = true;
      if (const int derived = derive(value, context); derived >= 0) return derived;
      refusal_.reset();
    }
    if (memory) return read(value, context, base, *memory);
    return derive(value, context);
  }

  int index_inside(Value value, std::int32_t unit, int context) {
    const std::int32_t producer = graph_.producer(value);
    const Node& node = node_at(producer);
    if (!graph::is_view(*node.op)) {
      return refuse(Reason::two_index_maps, value, "is an operand of a cat and used again");
    }
    const Value source = producer == unit ? source_of(node) : value;
    if (producer == unit && view_of(node)->kind == ViewKind::slice && !is_member(units_.unit_behind(source))) {
      const auto& memory = units_.memory[static_cast<std::size_t>(source.index)];
      if (memory) return read(value, context, units_.base_of(source), *apply_view(graph_, node, *memory));
    }
    return derive(value, context);
  }

  /// Indexes a view through the axes of its source.
  int derive(Value value, int context) {
    const Node& node = node_at(graph_.producer(value));
    ensure(graph::is_view(*node.op), "only views are indexed through a source");
    if (view_of(node)->kind == ViewKind::slice) {
      return refuse(Reason::slice_of_computed_value, value, text_of(graph_.tensor(value).sizes));
    }
    const int source = index(source_of(node), context);
    if (source < 0) return kRefused;
    auto dims = view_dims(node, at(source).dims);
    if (!dims) {
      return refuse(Reason::reshape_does_not_align, value,
                    text_of(graph_.tensor(source_of(node)).sizes) + " to " + text_of(graph_.tensor(value).sizes));
    }
    return remember({.value = value, .context = context, .source = at(source).source, .dims = std::move(*dims)});
  }

  std::optional<DimAxes> view_dims(const Node& node, DimAxes from) {
    const Dims& sizes = graph_.tensor(node.results[0]).sizes;
    const ViewKind kind = view_of(node)->kind;
    if (kind == ViewKind::reshape) return formed_.axes.reshape(from, sizes);
    DimAxes dims;
    if (kind == ViewKind::permute) {
      for (const std::int64_t dim : ints_of(node.operands[1])) dims.add_dim(from.dim(static_cast<std::size_t>(dim)));
      return dims;
    }
    const Dims& source_sizes = graph_.tensor(source_of(node)).sizes;
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
      const AxisId grown = sizes[dim] == source_sizes[dim] ? -1 : formed_.axes.add(sizes[dim]);
      dims.add_dim(grown < 0 ? from.dim(dim) : std::span(&grown, 1));
    }
    return dims;
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
      const int operand = is_number(graph_, node, value) ? -1 : index(value, context);
      if (refusal_) return;
      if (operand >= 0) operands.push_back(operand);
      sources.push_back(operand < 0 ? -1 : at(operand).source);
    }
    DimAxes dims;
    const Dims& sizes = graph_.tensor(node.results[0]).sizes;
    for (std::size_t dim = 0; dim < sizes.size(); ++dim)
      if (!add_common_dim(dims, node.results[0], operands, dim)) return;
    add_member(node.results[0], context, std::move(dims), std::move(sources));
  }

  /// Appends dim `dim` of `result`: the axes of the operands' dims that broadcast to it, made to iterate together.
  bool add_common_dim(DimAxes& dims, Value result, const std::vector<int>& operands, std::size_t dim) {
    const Dims& sizes = graph_.tensor(result).sizes;
    std::vector<AxisId> common;
    for (const int operand : operands) {
      const Dims& operand_sizes = graph_.tensor(at(operand).value).sizes;
      const std::size_t missing = sizes.size() - operand_sizes.size();
      if (dim < missing || operand_sizes[dim - missing] != sizes[dim]) continue;
      const auto axes = at(operand).dims.dim(dim - missing);
      if (common.empty())
        common.assign(axes.begin(), axes.end());
      else if (!formed_.axes.unify(common, axes)) {
        refuse(Reason::reshape_does_not_align, at(operand).value, text_of(operand_sizes) + " in " + text_of(sizes));
        return false;
      }
    }
    if (common.empty() && sizes[dim] != 1) common.push_back(formed_.axes.add(sizes[dim]));
    dims.add_dim(common);
    return true;
  }

  void add_member(Value result, int context, DimAxes dims, std::vector<int> operands) {
    const int source = add_source(Source{.value = result, .is_member = true, .dims = dims, .base = {}, .memory = {}},
                                  std::move(operands));
    remember({.value = result, .context = context, .source = source, .dims = std::move(dims)});
  }

  void visit_reduction(std::int32_t member, const Node& node) {
    const int operand = index(source_of(node), context_of(member));
    if (operand < 0) return;
    Reducing reducing{.source = static_cast<int>(formed_.sources.size()), .input = at(operand).dims.axes, .axes = {}};
    const Dims reduced = ints_of(node.operands[1]);
    DimAxes dims;
    for (std::size_t dim = 0; dim < at(operand).dims.ends.size(); ++dim) {
      const auto axes = at(operand).dims.dim(dim);
      if (std::find(reduced.begin(), reduced.end(), static_cast<std::int64_t>(dim)) == reduced.end())
        dims.add_dim(axes);
      else
        reducing.axes.insert(reducing.axes.end(), axes.begin(), axes.end());
    }
    formed_.reductions.push_back(std::move(reducing));
    add_member(node.results[0], context_of(member), std::move(dims), {at(operand).source});
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
      const int operand = empty ? -1 : index(value, context);
      if (refusal_) return;
      ++context;
      if (empty) continue;
      operands.push_back(operand);
      sources.push_back(at(operand).source);
    }
    DimAxes dims;
    for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
      if (dim == cat_dim)
        dims.add_dim(formed_.axes.add_dims({sizes[dim]}).axes);
      else if (!add_common_dim(dims, result, operands, dim))
        return;
    }
    add_windows(operands, cat_dim, dims);
    add_member(result, context_of(member), std::move(dims), std::move(sources));
  }

  void add_windows(const std::vector<int>& operands, std::size_t cat_dim, const DimAxes& dims) {
    std::int64_t begin = 0;
    const auto whole = dims.dim(cat_dim);
    for (const int operand : operands) {
      const auto part = at(operand).dims.dim(cat_dim);
      const std::int64_t size = graph_.tensor(at(operand).value).sizes[cat_dim];
      formed_.windows.push_back(Window{.cat = static_cast<int>(formed_.sources.size()),
                                       .value = at(operand).value,
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
    const int indexed = refusal_ ? kRefused : index(site.value, 0);
    if (indexed < 0) return;
    formed_.stores.push_back(PlannedStore{
        .value = value, .source = at(indexed).source, .dims = at(indexed).dims, .strides = std::move(site.strides)});
  }

  const Units& units_;
  const Graph& graph_;
  bool share_views_;
  Scratch& scratch_;
  std::span<const std::int32_t> members_;
  std::span<const std::int32_t> copied_;
  Contexts contexts_;
  std::vector<Indexed> indexed_;
  Formation formed_;
  std::optional<Refusal> refusal_;
};

}  // namespace

std::variant<Formation, Refusal> form(const Units& units, std::span<const std::int32_t> members,
                                      std::span<const std::int32_t> copied, bool share_views, Scratch& scratch) {
  return Former(units, members, copied, share_views, scratch).run();
}

}  // namespace torchweld::fusion
