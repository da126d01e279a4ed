#include "fusion/emit.h"

#include <algorithm>

#include "fusion/bytes.h"
#include "torchweld/error.h"

namespace torchweld::fusion {

using graph::CreationKind;
using graph::DType;
using graph::Graph;
using graph::Node;
using graph::Operand;
using graph::TensorType;
using graph::Value;

namespace {

/// The dtype that a number travels in.
DType number_dtype(DType dtype) {
  if (dtype == DType::b8) return DType::b8;
  return graph::is_floating(dtype) ? DType::f64 : DType::i64;
}

Number number_of(const Graph& graph, const Operand& operand) {
  if (const auto* integer = std::get_if<std::int64_t>(&operand.held)) return {DType::i64, *integer};
  if (const auto* real = std::get_if<double>(&operand.held)) return {DType::f64, *real};
  if (const auto* truth = std::get_if<bool>(&operand.held)) return {DType::b8, *truth};
  const Value* value = operand.value();
  if (value == nullptr) return {DType::b8, false};  // None and strings: no expression reads them
  if (const auto* scalar = std::get_if<graph::ScalarType>(&graph.type(*value))) return {scalar->dtype, *value};
  return {number_dtype(graph.tensor(*value).dtype), *value};
}

/// a + b * times.
Number shifted(const Number& a, const Number& b, std::int64_t times) {
  const auto* start = std::get_if<std::int64_t>(&a.held);
  const auto* step = std::get_if<std::int64_t>(&b.held);
  if (start != nullptr && step != nullptr) return {DType::i64, *start + *step * times};
  const auto real = [](const Number& number) {
    if (const auto* integer = std::get_if<std::int64_t>(&number.held)) return static_cast<double>(*integer);
    const auto* held = std::get_if<double>(&number.held);
    ensure(held != nullptr, "the bounds of an arange are literals");
    return *held;
  };
  return {DType::f64, real(a) + real(b) * static_cast<double>(times)};
}

class Emitter {
public:
  Emitter(const Units& units, const Formation& formed, const Domain& domain)
      : units_(units), graph_(*units.graph), formed_(formed), domain_(domain), emitted_(formed.sources.size()) {}

  Group run() {
    for (std::size_t at = 0; at < domain_.axes.size(); ++at)
      group_.axes.push_back(Axis{formed_.axes.extent(domain_.axes[at]), static_cast<int>(at) >= domain_.kept});
    // A reduction over dims of size 1 only still is one.
    if (!formed_.reductions.empty() && domain_.kept == static_cast<int>(domain_.axes.size()))
      group_.axes.push_back(Axis{1, true});
    for (std::size_t source = 0; source < formed_.sources.size(); ++source)
      if (formed_.sources[source].is_member) static_cast<void>(input_of(static_cast<int>(source)));
    for (const PlannedStore& store : formed_.stores) statement_of(store.source);
    for (const PlannedStore& store : formed_.stores) add_store(store);
    add_nodes();
    count_bytes(graph_, group_);
    return std::move(group_);
  }

private:
  [[nodiscard]] const Source& source(int at) const { return formed_.sources[static_cast<std::size_t>(at)]; }
  [[nodiscard]] const Node& node_of(Value value) const {
    return graph_.nodes()[static_cast<std::size_t>(graph_.producer(value))];
  }

  Input input_of(int at) {
    auto& known = emitted_[static_cast<std::size_t>(at)];
    if (!known) known = emit(at);
    return *known;
  }

  /// A number that must be a statement, since it is reduced or stored, is cast to its own dtype.
  StatementIndex statement_of(int at) {
    const Input input = input_of(at);
    if (const auto* index = std::get_if<StatementIndex>(&input)) return *index;
    const StatementIndex index = add(Pointwise{graph::find_op("torchweld::cast"), {input}}, source(at).value, 0);
    emitted_[static_cast<std::size_t>(at)] = index;
    return index;
  }

  StatementIndex add(decltype(Statement::body) body, Value value, AxisMask spans) {
    const DType dtype = graph_.tensor(value).dtype;
    return add(std::move(body), value, spans, graph::compute_dtype(dtype));
  }
  StatementIndex add(decltype(Statement::body) body, Value value, AxisMask spans, DType compute) {
    std::vector<bool> spanned(group_.axes.size());
    for (std::size_t axis = 0; axis < domain_.axes.size(); ++axis) spanned[axis] = (spans >> axis & 1) != 0;
    group_.statements.push_back(
        Statement{std::move(body), value, graph_.tensor(value).dtype, compute, std::move(spanned)});
    spans_.push_back(spans);
    return StatementIndex{static_cast<std::int32_t>(group_.statements.size() - 1)};
  }
  [[nodiscard]] AxisMask spans_of(const Input& input) const {
    const auto* index = std::get_if<StatementIndex>(&input);
    return index == nullptr ? 0 : spans_[static_cast<std::size_t>(index->index)];
  }

  Input emit(int at) {
    const Source& emitted = source(at);
    if (!emitted.is_member) return emit_operand(emitted);
    const Node& node = node_of(emitted.value);
    if (graph::is_reduction(*node.op)) {
      const StatementIndex input = statement_of(formed_.operands[static_cast<std::size_t>(at)][0]);
      const auto kind = std::get<graph::Reduction>(node.op->body).kind;
      return add(Reduce{kind, input}, emitted.value, spans_of(input) & domain_.kept_mask(),
                 graph::compute_dtype(graph_, node));
    }
    return is_cat(node) ? emit_choose(at) : emit_pointwise(at, node);
  }

  StatementIndex emit_pointwise(int at, const Node& node) {
    Pointwise body{.op = node.op, .inputs = {}};
    AxisMask spans = 0;
    std::size_t next = 0;
    const auto& operands = formed_.operands[static_cast<std::size_t>(at)];
    for (const Operand& operand : node.operands) {
      const int operand_source = operand.value() == nullptr ? -1 : operands[next++];
      body.inputs.push_back(operand_source < 0 ? Input{number_of(graph_, operand)} : input_of(operand_source));
      spans |= spans_of(body.inputs.back());
    }
    return add(std::move(body), source(at).value, spans, graph::compute_dtype(graph_, node));
  }

  Input emit_choose(int at) {
    Choose body;
    AxisMask spans = 0;
    body.bounds.push_back(0);
    std::vector<AxisId> whole;
    for (const Window& window : formed_.windows) {
      if (window.cat != at) continue;
      body.bounds.push_back(window.begin + window.size);
      whole = formed_.axes.leaves(window.whole);
    }
    for (const int operand : formed_.operands[static_cast<std::size_t>(at)]) {
      body.inputs.push_back(input_of(operand));
      spans |= spans_of(body.inputs.back());
    }
    if (whole.empty()) return body.inputs[0];  // one operand of size 1
    body.axis = domain_.position[static_cast<std::size_t>(whole[0])];
    spans |= AxisMask{1} << body.axis;
    return add(std::move(body), source(at).value, spans);
  }

  Input emit_operand(const Source& operand) {
    Access access = access_of(operand.base, operand.dims, operand.memory.strides);
    access.offset += operand.memory.offset;
    const std::int32_t producer = graph_.producer(operand.base);
    if (units_.unit_behind(operand.base) < 0 && producer >= 0) return emit_creation(operand, access);
    const auto found = std::find(group_.accesses.begin(), group_.accesses.end(), access);
    if (found != group_.accesses.end()) return loads_[static_cast<std::size_t>(found - group_.accesses.begin())];
    group_.accesses.push_back(access);
    AxisMask spans = 0;
    for (std::size_t axis = 0; axis < access.strides.size(); ++axis)
      if (access.strides[axis] != 0) spans |= AxisMask{1} << axis;
    loads_.push_back(add(Load{static_cast<int>(group_.accesses.size() - 1)}, operand.value, spans));
    return loads_.back();
  }

  Input emit_creation(const Source& created, const Access& access) {
    const Node& node = node_of(created.base);
    const Number start = number_of(graph_, node.operands[0]);
    if (is_creation(node, CreationKind::full)) return start;
    const Number step = number_of(graph_, node.operands[1]);
    Input sum = shifted(start, step, access.offset);
    for (std::size_t axis = 0; axis < access.strides.size(); ++axis) {
      if (access.strides[axis] == 0) continue;
      const Number stride = shifted({DType::i64, std::int64_t{0}}, step, access.strides[axis]);
      const AxisMask bit = AxisMask{1} << axis;
      const auto* first = std::get_if<Number>(&sum);
      const Number begin = first != nullptr ? *first : Number{DType::i64, std::int64_t{0}};
      const Input term = add(Position{static_cast<int>(axis), begin, stride}, created.value, bit);
      const AxisMask spans = spans_of(sum) | bit;
      sum =
          first != nullptr ? term : add(Pointwise{graph::find_op("torchweld::add"), {sum, term}}, created.value, spans);
    }
    return sum;
  }

  /// `strides` are over the dims that `dims` gives the axes of.
  Access access_of(Value memory, const DimAxes& dims, const graph::Dims& strides) const {
    const TensorType& type = graph_.tensor(memory);
    Access access{
        .value = memory, .dtype = type.dtype, .offset = 0, .strides = {}, .alignment = type.alignment, .guard = {}};
    access.strides.assign(group_.axes.size(), 0);
    for (std::size_t dim = 0; dim < strides.size(); ++dim) {
      const std::vector<AxisId> leaves = formed_.axes.leaves(dims.dim(dim));
      std::int64_t stride = strides[dim];
      for (std::size_t at = leaves.size(); at-- > 0;) {
        index_axis(access, leaves[at], stride);
        stride *= formed_.axes.extent(leaves[at]);
      }
    }
    return access;
  }
  void index_axis(Access& access, AxisId axis, std::int64_t stride) const {
    const int position = domain_.position[static_cast<std::size_t>(axis)];
    access.strides[static_cast<std::size_t>(position)] += stride;
    const auto& part = domain_.part[static_cast<std::size_t>(axis)];
    if (!part || stride == 0) return;
    access.offset -= part->begin * stride;
    access.guard = Guard{position, part->begin, part->begin + part->size};
  }

  void add_store(const PlannedStore& store) {
    group_.accesses.push_back(access_of(store.value, store.dims, store.strides));
    group_.stores.push_back(Store{static_cast<int>(group_.accesses.size() - 1), statement_of(store.source)});
  }

  /// Members, and the views and creations that they use or store.
  void add_nodes() {
    group_.nodes = formed_.members;
    for (const std::int32_t member : formed_.members)
      for (const Value value : graph::values_of(graph_.nodes()[static_cast<std::size_t>(member)])) add_views(value);
    for (const PlannedStore& store : formed_.stores) add_views(store.value);
    std::sort(group_.nodes.begin(), group_.nodes.end());
    group_.nodes.erase(std::unique(group_.nodes.begin(), group_.nodes.end()), group_.nodes.end());
  }
  void add_views(Value value) {
    std::int32_t index = graph_.producer(value);
    while (index >= 0 && !units_.unit(index)) {
      group_.nodes.push_back(index);
      if (!graph::is_view(*graph_.nodes()[static_cast<std::size_t>(index)].op)) return;
      index = graph_.producer(source_of(graph_.nodes()[static_cast<std::size_t>(index)]));
    }
  }

  const Units& units_;
  const Graph& graph_;
  const Formation& formed_;
  const Domain& domain_;
  std::vector<std::optional<Input>> emitted_;
  std::vector<AxisMask> spans_;
  std::vector<StatementIndex> loads_;  ///< per access, while only loads are there
  Group group_;
};

}  // namespace

Group emit_group(const Units& units, const Formation& formed, const Domain& domain) {
  return Emitter(units, formed, domain).run();
}

}  // namespace torchweld::fusion
