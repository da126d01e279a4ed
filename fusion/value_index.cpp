#include "fusion/value_index.h"

#include <utility>

#include "fusion/size_text.h"
#include "torchweld/error.h"

namespace torchweld::fusion {

using graph::Dims;
using graph::Node;
using graph::Value;
using graph::ViewKind;

ValueIndex::ValueIndex(const Units& units, bool share_views, Scratch& scratch, Formation& formed)
    : units_(units), graph_(*units.graph), share_views_(share_views), scratch_(scratch), formed_(formed) {}

ValueIndex::~ValueIndex() {
  for (const Indexed& entry : indexed_) scratch_.indexed_at[static_cast<std::size_t>(entry.value.index)] = -1;
}

bool ValueIndex::is_member(std::int32_t node) const {
  return node >= 0 && scratch_.is_member[static_cast<std::size_t>(node)] != 0;
}

const Node& ValueIndex::node_at(std::int32_t index) const { return graph_.nodes()[static_cast<std::size_t>(index)]; }

int ValueIndex::refuse(Reason reason, Value value, std::string details) {
  if (!refusal_) refusal_ = Refusal{reason, value, std::move(details)};
  return kRefused;
}

int ValueIndex::find(Value value, int context) const {
  const int at = scratch_.indexed_at[static_cast<std::size_t>(value.index)];
  if (at < 0 || indexed_[static_cast<std::size_t>(at)].context == context) return at;
  for (std::size_t other = 0; other < indexed_.size(); ++other)
    if (indexed_[other].value == value && indexed_[other].context == context) return static_cast<int>(other);
  return -1;
}

int ValueIndex::add(Indexed entry) {
  const auto at = static_cast<int>(indexed_.size());
  int& known = scratch_.indexed_at[static_cast<std::size_t>(entry.value.index)];
  if (known < 0) known = at;
  indexed_.push_back(std::move(entry));
  return at;
}

int ValueIndex::add_source(Source source, std::vector<int> operands) {
  formed_.sources.push_back(std::move(source));
  formed_.operands.push_back(std::move(operands));
  return static_cast<int>(formed_.sources.size() - 1);
}

void ValueIndex::add_member(Value result, int context, DimAxes dims, std::vector<int> operands) {
  const int source = add_source(Source{.value = result, .is_member = true, .dims = dims, .base = {}, .memory = {}},
                                std::move(operands));
  add({.value = result, .context = context, .source = source, .dims = std::move(dims)});
}

/// Reads memory through axes of its own.
int ValueIndex::add_read(Value value, int context, Value base, const MemoryView& memory) {
  DimAxes dims = formed_.axes.add_dims(graph_.tensor(value).sizes);
  const int source =
      add_source(Source{.value = value, .is_member = false, .dims = dims, .base = base, .memory = memory}, {});
  return add({.value = value, .context = context, .source = source, .dims = std::move(dims)});
}

int ValueIndex::find_or_add(Value value, int context) {
  if (const int known = find(value, context); known >= 0) return known;
  const std::int32_t unit = units_.unit_behind(value);
  if (is_member(unit)) return add_inside(value, unit, context);
  const std::int32_t producer = graph_.producer(value);
  const bool plain_view = producer >= 0 && !units_.unit(producer) && graph::is_view(*node_at(producer).op);
  const auto& memory = units_.memory[static_cast<std::size_t>(value.index)];
  const Value base = units_.base_of(value);
  const bool created = unit < 0 && graph_.producer(base) >= 0;
  if (memory && plain_view && share_views_ && !created && view_of(node_at(producer))->kind != ViewKind::slice) {
    formed_.shared_views = true;
    const auto before = refusal_;
    if (const int view = add_view(value, context); view >= 0) return view;
    refusal_ = before;
  }
  if (memory) return add_read(value, context, base, *memory);
  return add_view(value, context);
}

/// A view of a member's result, or a member that is a view.
int ValueIndex::add_inside(Value value, std::int32_t unit, int context) {
  const std::int32_t producer = graph_.producer(value);
  const Node& node = node_at(producer);
  if (!graph::is_view(*node.op)) {
    return refuse(Reason::two_index_maps, value, "is an operand of a cat and used again");
  }
  const Value source = source_of(node);
  const auto& memory = units_.memory[static_cast<std::size_t>(source.index)];
  const bool copies_slice = producer == unit && view_of(node)->kind == ViewKind::slice;
  if (copies_slice && memory && !is_member(units_.unit_behind(source)))
    return add_read(value, context, units_.base_of(source), *apply_view(graph_, node, *memory));
  return add_view(value, context);
}

/// Indexes a view through the axes of its source.
int ValueIndex::add_view(Value value, int context) {
  const Node& node = node_at(graph_.producer(value));
  ensure(graph::is_view(*node.op), "only views are indexed through a source");
  if (view_of(node)->kind == ViewKind::slice) {
    return refuse(Reason::slice_of_computed_value, value, text_of(graph_.tensor(value).sizes));
  }
  const int source = find_or_add(source_of(node), context);
  if (source < 0) return kRefused;
  auto dims = view_dims(node, at(source).dims);
  if (!dims) {
    return refuse(Reason::reshape_does_not_align, value,
                  text_of(graph_.tensor(source_of(node)).sizes) + " to " + text_of(graph_.tensor(value).sizes));
  }
  return add({.value = value, .context = context, .source = at(source).source, .dims = std::move(*dims)});
}

std::optional<DimAxes> ValueIndex::view_dims(const Node& node, const DimAxes& from) {
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

}  // namespace torchweld::fusion
