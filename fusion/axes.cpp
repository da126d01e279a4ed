#include "fusion/axes.h"

#include <utility>

namespace torchweld::fusion {

AxisId Axes::add(std::int64_t extent) {
  axes_.push_back(Axis{.extent = extent});
  return static_cast<AxisId>(axes_.size() - 1);
}

DimAxes Axes::add_dims(const graph::Dims& sizes) {
  DimAxes dims;
  dims.axes.reserve(sizes.size());
  dims.ends.reserve(sizes.size());
  for (const std::int64_t size : sizes) {
    if (size != 1) dims.axes.push_back(add(size));
    dims.end_dim();
  }
  return dims;
}

AxisId Axes::root(AxisId axis) const {
  while (axes_[static_cast<std::size_t>(axis)].same_as >= 0) axis = axes_[static_cast<std::size_t>(axis)].same_as;
  return axis;
}

void Axes::append_leaves(AxisId axis, std::vector<AxisId>& out) const {
  axis = root(axis);
  const Axis& found = axes_[static_cast<std::size_t>(axis)];
  if (found.outer < 0) {
    out.push_back(axis);
    return;
  }
  append_leaves(found.outer, out);
  append_leaves(found.inner, out);
}

std::vector<AxisId> Axes::leaves(std::span<const AxisId> axes) const {
  std::vector<AxisId> out;
  for (const AxisId axis : axes) append_leaves(axis, out);
  return out;
}

void Axes::split(AxisId leaf, std::int64_t inner_extent) {
  const AxisId outer = add(extent(leaf) / inner_extent);
  const AxisId inner = add(inner_extent);
  at(leaf).outer = outer;
  at(leaf).inner = inner;
}

/// `stack` holds axes outermost first.
AxisId Axes::pop_innermost(std::vector<AxisId>& stack) const {
  AxisId axis = root(stack.back());
  stack.pop_back();
  while (axes_[static_cast<std::size_t>(axis)].outer >= 0) {
    stack.push_back(axes_[static_cast<std::size_t>(axis)].outer);
    axis = root(axes_[static_cast<std::size_t>(axis)].inner);
  }
  return axis;
}

/// `stack` holds axes innermost first.
AxisId Axes::pop_outermost(std::vector<AxisId>& stack) const {
  AxisId axis = root(stack.back());
  stack.pop_back();
  while (axes_[static_cast<std::size_t>(axis)].outer >= 0) {
    stack.push_back(axes_[static_cast<std::size_t>(axis)].inner);
    axis = root(axes_[static_cast<std::size_t>(axis)].outer);
  }
  return axis;
}

bool Axes::unify(std::span<const AxisId> left, std::span<const AxisId> right) {
  std::vector<AxisId> lefts(left.begin(), left.end());
  std::vector<AxisId> rights(right.begin(), right.end());
  while (!lefts.empty() && !rights.empty()) {
    AxisId a = pop_innermost(lefts);
    AxisId b = pop_innermost(rights);
    if (a == b) continue;
    bool a_is_left = true;
    if (extent(a) < extent(b)) {
      std::swap(a, b);
      a_is_left = false;
    }
    if (extent(a) != extent(b)) {
      if (extent(b) == 0 || extent(a) % extent(b) != 0) return false;
      split(a, extent(b));
      (a_is_left ? lefts : rights).push_back(at(a).outer);
      a = at(a).inner;
    }
    at(b).same_as = a;
  }
  return lefts.empty() && rights.empty();
}

std::optional<DimAxes> Axes::reshape(const DimAxes& from, const graph::Dims& sizes) {
  if (graph::numel(sizes) == 0) return add_dims(sizes);
  std::vector<AxisId> stack(from.axes.rbegin(), from.axes.rend());
  DimAxes to;
  to.ends.reserve(sizes.size());
  for (std::int64_t missing : sizes) {
    while (missing > 1) {
      if (stack.empty()) return std::nullopt;
      const AxisId axis = pop_outermost(stack);
      const std::int64_t extent = this->extent(axis);
      if (missing % extent == 0) {
        to.axes.push_back(axis);
        missing /= extent;
      } else if (extent % missing == 0) {
        split(axis, extent / missing);
        to.axes.push_back(at(axis).outer);
        stack.push_back(at(axis).inner);
        missing = 1;
      } else {
        return std::nullopt;
      }
    }
    to.end_dim();
  }
  return to;
}

}  // namespace torchweld::fusion
