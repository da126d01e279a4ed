#include "fusion/random_graph.h"

#include <algorithm>
#include <array>

#include "graph/builder.h"

namespace torchweld::testing {

using graph::Builder;
using graph::Dims;
using graph::Graph;
using graph::TensorType;
using graph::Value;

namespace {

class Generator {
public:
  Generator(std::uint32_t seed, int nodes) : random_(seed), nodes_(nodes), builder_(graph_) {}

  Graph run() {
    // All sizes of a graph come from a few numbers, so that values meet.
    for (std::int64_t& size : sizes_) size = pick(6) + 1;
    const int inputs = pick(3) + 1;
    for (int input = 0; input < inputs; ++input) add_input();
    while (static_cast<int>(graph_.nodes().size()) < nodes_) add_node();
    std::vector<Value> outputs;
    const int count = pick(3) + 1;
    for (int output = 0; output < count; ++output) outputs.push_back(result());
    graph_.set_outputs(outputs);
    return std::move(graph_);
  }

private:
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  std::int64_t size() { return sizes_[static_cast<std::size_t>(pick(static_cast<int>(sizes_.size())))]; }
  [[nodiscard]] const Dims& sizes(Value value) const { return graph_.tensor(value).sizes; }
  [[nodiscard]] bool is_large(const Dims& sizes) const { return graph::numel(sizes) > 400; }

  Value any() { return values_[static_cast<std::size_t>(pick(static_cast<int>(values_.size())))]; }
  /// A value among the last few, so that graphs grow deep.
  Value recent() {
    const int count = static_cast<int>(values_.size());
    return values_[static_cast<std::size_t>(count - 1 - pick(std::min(count, 4)))];
  }
  /// A late value that eager would lay out without gaps: no output is a slice or an expansion.
  Value result() {
    auto at = graph_.nodes().size() - 1 - static_cast<std::size_t>(pick(4)) % graph_.nodes().size();
    while (at > 0 && !is_dense(graph_.tensor(graph_.nodes()[at].results[0]))) --at;
    const Value value = graph_.nodes()[at].results[0];
    return is_dense(graph_.tensor(value)) ? value : graph_.inputs()[0];
  }
  [[nodiscard]] static bool is_dense(const TensorType& type) {
    for (std::size_t dim = 0; dim < type.sizes.size(); ++dim)
      if (type.strides[dim] <= 0) return false;
    return static_cast<std::int64_t>(buffer_size(type)) == graph::numel(type.sizes);
  }

  void add_input() {
    Dims dims(static_cast<std::size_t>(pick(3) + 1));
    for (std::int64_t& dim : dims) dim = size();
    Dims strides = graph::contiguous_strides(dims);
    if (pick(3) == 0) strides = transposed_strides(dims);
    values_.push_back(graph_.add_input(TensorType{.dtype = graph::DType::f64, .sizes = dims, .strides = strides}));
  }
  static Dims transposed_strides(const Dims& sizes) {
    Dims reversed(sizes.rbegin(), sizes.rend());
    Dims strides = graph::contiguous_strides(reversed);
    return {strides.rbegin(), strides.rend()};
  }

  void add_node() {
    switch (pick(10)) {
    case 0:
      return add_reduction(recent());
    case 1:
      return add_normalization(recent());
    case 2:
      return add_view(recent());
    case 3:
      return add_view(any());
    case 4:
      return add_cat();
    case 5:
      return add_creation();
    case 6:
      return keep(builder_.pointwise("aten::relu", {recent()}));
    default:
      return add_binary(recent(), any());
    }
  }
  void keep(Value value) {
    if (std::find(values_.begin(), values_.end(), value) == values_.end()) values_.push_back(value);
  }

  void add_binary(Value a, Value b) {
    // Where two values do not broadcast, a part or a permutation of one may fit.
    if (!broadcasts(sizes(a), sizes(b))) b = sizes(a).size() == 2 && pick(2) == 0 ? builder_.permute(a, {1, 0}) : a;
    if (!broadcasts(sizes(a), sizes(b))) b = a;
    Dims larger = sizes(a).size() > sizes(b).size() ? sizes(a) : sizes(b);
    if (is_large(larger)) return;
    constexpr std::array kOps{"torchweld::add", "torchweld::sub", "aten::mul.Tensor"};
    keep(builder_.pointwise(kOps[static_cast<std::size_t>(pick(3))], {a, b}));
  }
  [[nodiscard]] static bool broadcasts(const Dims& a, const Dims& b) {
    for (std::size_t dim = 1; dim <= std::min(a.size(), b.size()); ++dim)
      if (a[a.size() - dim] != b[b.size() - dim] && a[a.size() - dim] != 1 && b[b.size() - dim] != 1) return false;
    return true;
  }

  void add_reduction(Value x) {
    if (sizes(x).empty()) return;
    Dims dims;
    for (std::int64_t dim = 0; dim < graph_.tensor(x).rank(); ++dim)
      if (pick(2) == 0) dims.push_back(dim);
    const auto kind = pick(2) == 0 ? graph::ReductionKind::max : graph::ReductionKind::sum;
    keep(pick(2) == 0 ? builder_.reduce(kind, x, dims) : builder_.reduce_keeping_dims(kind, x, dims));
  }

  /// x less its largest, over some dims: what softmax begins with.
  void add_normalization(Value x) {
    if (sizes(x).empty()) return;
    const Dims dims{pick(static_cast<int>(sizes(x).size()))};
    const Value reduced = builder_.reduce_keeping_dims(graph::ReductionKind::max, x, dims);
    keep(builder_.sub(x, pick(2) == 0 ? reduced : builder_.expand(reduced, sizes(x))));
  }

  void add_view(Value x) {
    const Dims from = sizes(x);
    if (from.empty()) return keep(builder_.reshape(x, {1}));
    const auto dim = static_cast<std::size_t>(pick(static_cast<int>(from.size())));
    switch (pick(4)) {
    case 0:
      return add_permute(x);
    case 1:
      return add_reshape(x);
    case 2:
      return add_expand(x);
    default:
      if (from[dim] == 1) return;
      const std::int64_t start = pick(static_cast<int>(from[dim]));
      if (pick(3) == 0) return keep(builder_.slice(x, dim, start, -1, start + 1));
      return keep(builder_.slice(x, dim, start, 1, from[dim] - start));
    }
  }
  void add_permute(Value x) {
    Dims order;
    for (std::int64_t dim = 0; dim < graph_.tensor(x).rank(); ++dim) order.push_back(dim);
    std::shuffle(order.begin(), order.end(), random_);
    keep(builder_.permute(x, order));
  }
  void add_reshape(Value x) {
    Dims to;
    std::int64_t rest = graph::numel(sizes(x));
    for (const std::int64_t factor : {2, 3, 4, 5}) {
      if (rest % factor != 0 || rest == 0 || to.size() > 2 || pick(2) == 0) continue;
      to.push_back(factor);
      rest /= factor;
    }
    to.insert(to.begin() + pick(static_cast<int>(to.size()) + 1), rest);
    if (pick(4) == 0) to.insert(to.begin() + pick(static_cast<int>(to.size()) + 1), 1);
    keep(builder_.reshape(x, to));
  }
  void add_expand(Value x) {
    Dims to = sizes(x);
    for (std::int64_t& dim : to)
      if (dim == 1) dim = size();
    if (to == sizes(x) && to.size() < 4) to.insert(to.begin(), size());
    if (!is_large(to)) keep(builder_.expand(x, to));
  }

  void add_cat() {
    const Value x = recent();
    if (sizes(x).empty()) return;
    const auto dim = static_cast<std::size_t>(pick(static_cast<int>(sizes(x).size())));
    std::vector<Value> parts{x};
    for (const Value other : values_) {
      if (parts.size() == 3 || sizes(other).size() != sizes(x).size() || pick(2) == 0) continue;
      Dims expected = sizes(other);
      expected[dim] = sizes(x)[dim];
      if (expected == sizes(x)) parts.push_back(other);
    }
    Dims total = sizes(x);
    total[dim] *= static_cast<std::int64_t>(parts.size());
    if (!is_large(total)) keep(builder_.cat(parts, dim));
  }

  void add_creation() {
    const std::int64_t length = size();
    const TensorType row{.dtype = graph::DType::f64, .sizes = {length}, .strides = {1}};
    if (pick(2) == 0) return keep(builder_.arange(pick(5), 2.0, row));
    keep(builder_.full(1.5, row));
  }

  std::mt19937 random_;
  int nodes_;
  Graph graph_;
  Builder builder_;
  std::array<std::int64_t, 3> sizes_{};
  std::vector<Value> values_;
};

}  // namespace

Graph random_graph(std::uint32_t seed, int nodes) { return Generator(seed, nodes).run(); }

Memory random_inputs(const Graph& graph, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-2, 2);
  Memory memory;
  for (const Value input : graph.inputs()) {
    const auto* type = std::get_if<TensorType>(&graph.type(input));
    memory[input].resize(type == nullptr ? 1 : buffer_size(*type));
    for (double& element : memory[input]) element = number(random);
  }
  return memory;
}

}  // namespace torchweld::testing
