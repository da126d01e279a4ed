#include "fusion/interpret_group.h"

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include "fusion/scalar_expression.h"

namespace torchweld::testing {

using fusion::Access;
using fusion::Group;
using fusion::Input;
using fusion::Number;
using fusion::Statement;
using fusion::StatementIndex;
using graph::Dims;
using graph::Graph;
using graph::Value;

std::size_t buffer_size(const graph::TensorType& type) {
  std::int64_t last = 0;
  for (std::size_t dim = 0; dim < type.sizes.size(); ++dim) {
    if (type.sizes[dim] == 0) return 0;
    last += (type.sizes[dim] - 1) * type.strides[dim];
  }
  return static_cast<std::size_t>(last + 1);
}

namespace {

/// Elements of a tensor that have an address of their own.
std::size_t elements_in_memory(const graph::TensorType& type) {
  std::size_t count = 1;
  for (std::size_t dim = 0; dim < type.sizes.size(); ++dim)
    if (type.strides[dim] != 0 || type.sizes[dim] == 0) count *= static_cast<std::size_t>(type.sizes[dim]);
  return count;
}

class Interpretation {
public:
  Interpretation(const Graph& graph, const Group& group, Memory& memory)
      : graph_(graph), group_(group), memory_(memory) {
    for (const fusion::Axis& axis : group.axes) points_ *= static_cast<std::size_t>(axis.extent);
    for (std::size_t point = 0; point < points_; ++point) indices_.push_back(index_of(point));
  }

  void run() {
    for (const Statement& statement : group_.statements) {
      current_ = &statement;
      values_.emplace_back();
      values_.back() = std::visit([this](const auto& body) { return computed(body); }, statement.body);
      check_spans();
    }
    for (const fusion::Store& store : group_.stores) write(store);
  }

private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::logic_error(what + " in\n" + to_text(graph_, group_));
  }
  [[nodiscard]] Dims index_of(std::size_t point) const {
    Dims index(group_.axes.size());
    for (std::size_t axis = group_.axes.size(); axis-- > 0;) {
      index[axis] = static_cast<std::int64_t>(point) % group_.axes[axis].extent;
      point /= static_cast<std::size_t>(group_.axes[axis].extent);
    }
    return index;
  }
  [[nodiscard]] static bool is_open(const Access& access, const Dims& index) {
    if (!access.guard) return true;
    const std::int64_t at = index[static_cast<std::size_t>(access.guard->axis)];
    return access.guard->begin <= at && at < access.guard->end;
  }
  double& element(const Access& access, const Dims& index) {
    std::int64_t at = access.offset;
    for (std::size_t axis = 0; axis < index.size(); ++axis) at += access.strides[axis] * index[axis];
    std::vector<double>& buffer = memory_.at(access.value);
    if (at < 0 || at >= static_cast<std::int64_t>(buffer.size())) fail("an access leaves its buffer");
    return buffer[static_cast<std::size_t>(at)];
  }
  [[nodiscard]] double value_of(const Input& input, std::size_t point) const {
    if (const auto* index = std::get_if<StatementIndex>(&input))
      return values_.at(static_cast<std::size_t>(index->index))[point];
    return value_of(std::get<Number>(input));
  }
  [[nodiscard]] double value_of(const Number& number) const {
    if (const auto* value = std::get_if<Value>(&number.held)) return memory_.at(*value).at(0);
    if (const auto* integer = std::get_if<std::int64_t>(&number.held)) return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&number.held)) return *real;
    return std::get<bool>(number.held) ? 1 : 0;
  }

  std::vector<double> computed(const fusion::Load& load) {
    const Access& access = group_.accesses.at(static_cast<std::size_t>(load.access));
    std::vector<double> values;
    for (const Dims& index : indices_)
      values.push_back(is_open(access, index) ? element(access, index) : std::numeric_limits<double>::quiet_NaN());
    return values;
  }
  std::vector<double> computed(const fusion::Pointwise& pointwise) {
    std::vector<double> values;
    for (std::size_t point = 0; point < points_; ++point) {
      std::vector<double> inputs;
      for (const Input& input : pointwise.inputs)
        inputs.push_back(converted(value_of(input, point), current_->compute));
      values.push_back(converted(evaluate(std::get<graph::Expr>(pointwise.op->body).text, inputs), current_->dtype));
    }
    return values;
  }
  std::vector<double> computed(const fusion::Reduce& reduce) {
    std::vector<double> values;
    for (const Dims& index : indices_) {
      std::vector<double> elements;
      for (std::size_t point = 0; point < points_; ++point)
        if (is_same_row(indices_[point], index)) elements.push_back(value_of(Input{reduce.input}, point));
      values.push_back(reduced(reduce.kind, elements));
    }
    return values;
  }
  [[nodiscard]] bool is_same_row(const Dims& one, const Dims& other) const {
    for (std::size_t axis = 0; axis < group_.axes.size(); ++axis)
      if (!group_.axes[axis].reduced && one[axis] != other[axis]) return false;
    return true;
  }
  std::vector<double> computed(const fusion::Position& position) {
    std::vector<double> values;
    for (const Dims& index : indices_)
      values.push_back(value_of(position.start) +
                       value_of(position.step) * static_cast<double>(index[static_cast<std::size_t>(position.axis)]));
    return values;
  }
  std::vector<double> computed(const fusion::Choose& choose) {
    std::vector<double> values;
    for (std::size_t point = 0; point < points_; ++point) {
      const std::int64_t at = indices_[point][static_cast<std::size_t>(choose.axis)];
      std::size_t chosen = 0;
      while (at >= choose.bounds.at(chosen + 1)) ++chosen;
      values.push_back(value_of(choose.inputs.at(chosen), point));
    }
    return values;
  }

  void check_spans() const {
    std::map<Dims, double> seen;
    for (std::size_t point = 0; point < points_; ++point) {
      Dims spanned = indices_[point];
      for (std::size_t axis = 0; axis < spanned.size(); ++axis)
        if (!current_->spans.at(axis)) spanned[axis] = 0;
      const auto [found, added] = seen.emplace(spanned, values_.back()[point]);
      const bool same =
          found->second == values_.back()[point] || (std::isnan(found->second) && std::isnan(values_.back()[point]));
      if (!same) fail("v" + std::to_string(values_.size() - 1) + " depends on an axis that it does not span");
    }
  }

  void write(const fusion::Store& store) {
    const Access& access = group_.accesses.at(static_cast<std::size_t>(store.access));
    std::vector<double>& buffer = memory_[access.value];
    buffer.resize(buffer_size(graph_.tensor(access.value)), std::numeric_limits<double>::quiet_NaN());
    std::map<const double*, double> written;
    for (std::size_t point = 0; point < points_; ++point) {
      double& target = element(access, indices_[point]);
      target = values_.at(static_cast<std::size_t>(store.statement.index))[point];
      const auto [found, added] = written.emplace(&target, target);
      const bool same = found->second == target || (std::isnan(found->second) && std::isnan(target));
      if (!same) fail("a store writes an element twice");
    }
    if (written.size() != elements_in_memory(graph_.tensor(access.value))) fail("a store leaves elements unwritten");
  }

  const Graph& graph_;
  const Group& group_;
  Memory& memory_;
  std::size_t points_ = 1;
  std::vector<Dims> indices_;
  const Statement* current_ = nullptr;
  std::vector<std::vector<double>> values_;  ///< per statement and point
};

}  // namespace

void interpret(const Graph& graph, const Group& group, Memory& memory) { Interpretation(graph, group, memory).run(); }

void interpret(const Graph& graph, const fusion::Plan& plan, Memory& memory) {
  for (const Group& group : plan.groups) interpret(graph, group, memory);
}

}  // namespace torchweld::testing
