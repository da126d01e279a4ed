#include "fusion/memory_view.h"

#include "torchweld/error.h"

namespace torchweld::fusion {

using graph::Dims;
using graph::ViewKind;

const graph::View* view_of(const graph::Node& node) { return std::get_if<graph::View>(&node.op->body); }

graph::Value source_of(const graph::Node& node) {
  const graph::Value* value = node.operands.empty() ? nullptr : node.operands[0].value();
  ensure(value != nullptr, "a view or reduction is applied to a value");
  return *value;
}

std::int64_t int_of(const graph::Operand& operand) {
  const std::int64_t* value = std::get_if<std::int64_t>(&operand.held);
  ensure(value != nullptr, "an operand of a view, reduction or cat is a literal int");
  return *value;
}

Dims ints_of(const graph::Operand& operand) {
  ensure(operand.list() != nullptr, "an operand of a view or reduction is a list of ints");
  Dims ints;
  ints.reserve(operand.list()->size());
  for (const graph::Operand& element : *operand.list()) ints.push_back(int_of(element));
  return ints;
}

std::optional<Dims> strides_of_reshape(const Dims& sizes, const Dims& strides, const Dims& new_sizes) {
  if (graph::numel(new_sizes) == 0) return Dims(new_sizes.size(), 0);
  Dims result(new_sizes.size(), 0);
  std::size_t from = sizes.size();
  std::size_t to = new_sizes.size();
  while (from > 0) {
    if (sizes[from - 1] == 1) {
      --from;
      continue;
    }
    // A run of source dims that memory sees as one.
    const std::int64_t stride = strides[from - 1];
    std::int64_t run = sizes[--from];
    while (from > 0 && (sizes[from - 1] == 1 || strides[from - 1] == run * stride)) run *= sizes[--from];
    std::int64_t covered = 1;
    while (to > 0 && (covered < run || new_sizes[to - 1] == 1)) {
      result[to - 1] = covered * stride;
      covered *= new_sizes[--to];
    }
    if (covered != run) return std::nullopt;
  }
  return result;
}

namespace {

MemoryView permuted(const graph::Node& node, const MemoryView& source) {
  MemoryView view{.offset = source.offset, .strides = {}};
  for (const std::int64_t dim : ints_of(node.operands[1]))
    view.strides.push_back(source.strides[static_cast<std::size_t>(dim)]);
  return view;
}

MemoryView expanded(const graph::Graph& graph, const graph::Node& node, MemoryView source) {
  const Dims& sizes = graph.tensor(source_of(node)).sizes;
  const Dims& new_sizes = graph.tensor(node.results[0]).sizes;
  for (std::size_t dim = 0; dim < sizes.size(); ++dim)
    if (sizes[dim] != new_sizes[dim]) source.strides[dim] = 0;
  return source;
}

MemoryView sliced(const graph::Node& node, MemoryView source) {
  const auto dim = static_cast<std::size_t>(int_of(node.operands[1]));
  source.offset += int_of(node.operands[2]) * source.strides[dim];
  source.strides[dim] *= int_of(node.operands[3]);
  return source;
}

}  // namespace

std::optional<MemoryView> apply_view(const graph::Graph& graph, const graph::Node& node, const MemoryView& source) {
  switch (view_of(node)->kind) {
  case ViewKind::permute:
    return permuted(node, source);
  case ViewKind::expand:
    return expanded(graph, node, source);
  case ViewKind::slice:
    return sliced(node, source);
  case ViewKind::reshape:
    break;
  }
  auto strides =
      strides_of_reshape(graph.tensor(source_of(node)).sizes, source.strides, graph.tensor(node.results[0]).sizes);
  if (!strides) return std::nullopt;
  return MemoryView{.offset = source.offset, .strides = std::move(*strides)};
}

std::optional<Dims> strides_of_source(const graph::Graph& graph, const graph::Node& node, const Dims& strides) {
  if (view_of(node)->kind == ViewKind::permute) {
    Dims result(strides.size(), 0);
    const Dims dims = ints_of(node.operands[1]);
    for (std::size_t dim = 0; dim < dims.size(); ++dim) result[static_cast<std::size_t>(dims[dim])] = strides[dim];
    return result;
  }
  if (view_of(node)->kind != ViewKind::reshape) return std::nullopt;
  return strides_of_reshape(graph.tensor(node.results[0]).sizes, strides, graph.tensor(source_of(node)).sizes);
}

}  // namespace torchweld::fusion
