#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/types.h"

namespace torchweld::fusion {

using AxisId = std::int32_t;

/// Per dim of a value, the axes whose row-major product is that dim, outermost first; a dim of size 1 has none.
struct DimAxes {
  std::vector<AxisId> axes;  ///< of all dims, one after the other
  std::vector<std::int32_t> ends;

  [[nodiscard]] std::span<const AxisId> dim(std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : static_cast<std::size_t>(ends[index - 1]);
    return std::span(axes).subspan(begin, static_cast<std::size_t>(ends[index]) - begin);
  }
  void end_dim() { ends.push_back(static_cast<std::int32_t>(axes.size())); }
  void add_dim(std::span<const AxisId> dim) {
    axes.insert(axes.end(), dim.begin(), dim.end());
    end_dim();
  }
};

/// The axes of a group while it is formed: a union-find over iterations whose members can split in two.
/// An axis that was split stands for its outer and inner part; leaves() gives what an axis is now.
class Axes {
public:
  [[nodiscard]] AxisId add(std::int64_t extent);
  /// One new axis for every dim whose size is not 1.
  [[nodiscard]] DimAxes add_dims(const graph::Dims& sizes);
  [[nodiscard]] std::int64_t extent(AxisId axis) const { return axes_[static_cast<std::size_t>(axis)].extent; }
  [[nodiscard]] std::size_t count() const { return axes_.size(); }
  /// Appends the axes that `axis` stands for now, outermost first.
  void append_leaves(AxisId axis, std::vector<AxisId>& out) const;
  [[nodiscard]] std::vector<AxisId> leaves(std::span<const AxisId> axes) const;

  /// Makes two lists of equal product iterate together, splitting axes where they divide; false where they do not.
  [[nodiscard]] bool unify(std::span<const AxisId> left, std::span<const AxisId> right);
  /// The axes of the same elements seen in row-major order as `sizes`; empty where a cut does not divide an axis.
  [[nodiscard]] std::optional<DimAxes> reshape(const DimAxes& from, const graph::Dims& sizes);

private:
  struct Axis {
    std::int64_t extent = 1;
    AxisId same_as = -1;
    AxisId outer = -1;
    AxisId inner = -1;
  };
  [[nodiscard]] AxisId root(AxisId axis) const;
  [[nodiscard]] Axis& at(AxisId axis) { return axes_[static_cast<std::size_t>(axis)]; }
  void split(AxisId leaf, std::int64_t inner_extent);
  [[nodiscard]] AxisId pop_innermost(std::vector<AxisId>& stack) const;
  [[nodiscard]] AxisId pop_outermost(std::vector<AxisId>& stack) const;

  std::vector<Axis> axes_;
};

}  // namespace torchweld::fusion
