#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "fusion/axes.h"
#include "fusion/plan.h"
#include "fusion/units.h"

namespace torchweld::fusion {

/// What a group computes once per index of its axes: a member's result, or an operand from outside.
struct Source {
  graph::Value value;  ///< a unit's result, or the view of memory or of a creation that is read
  bool is_member = false;
  DimAxes dims;  ///< per dim of value
  /// Of an operand from outside: whose memory it indexes, and how.
  graph::Value base;
  MemoryView memory;
};

/// What a reduction of the group reduces.
struct Reducing {
  int source = -1;            ///< the reduction's result
  std::vector<AxisId> input;  ///< all axes of its operand
  std::vector<AxisId> axes;   ///< the reduced ones, in the operand's order
};

/// An operand of a cat runs over [begin, begin + size) of the cat's axis `whole`; its own axis is `part`.
struct Window {
  int cat = -1;        ///< source of the cat
  graph::Value value;  ///< the operand
  std::vector<AxisId> part;
  std::vector<AxisId> whole;
  std::int64_t begin = 0;
  std::int64_t size = 0;
};

struct PlannedStore {
  graph::Value value;
  int source = -1;
  DimAxes dims;
  graph::Dims strides;
};

/// A set of units with the axes of everything that they touch.
struct Formation {
  Axes axes;
  std::vector<Source> sources;  ///< in dependence order
  /// Per source that is a member: the source of each value among its operands; -1 for a number.
  std::vector<std::vector<int>> operands;
  std::vector<Reducing> reductions;
  std::vector<Window> windows;
  std::vector<PlannedStore> stores;
  std::vector<std::int32_t> members;
  bool shared_views = false;  ///< a view of memory was indexed through the axes of what it is a view of
};

/// Room that form() uses and leaves as it found it, so that an attempt costs no more than its members.
struct Scratch {
  explicit Scratch(const Units& units) : is_member(units.is_unit.size(), 0), indexed_at(units.base.size(), -1) {}
  std::vector<char> is_member;  ///< per node
  std::vector<int> indexed_at;  ///< per value
};

/// A number as far as kernels see: a scalar, or a 0-dim host tensor that meets cuda tensors.
[[nodiscard]] bool is_number(const graph::Graph& graph, const graph::Node& node, graph::Value operand);

/// Works out the axes of `members` (units, ascending), or why they do not iterate together. With `share_views`, views
/// of one memory iterate together; without, each view has axes of its own (then `x + x.t()` of an input is two
/// operands). `copied` members are computed for this group only: others that read them compute their own.
[[nodiscard]] std::variant<Formation, Refusal> form(const Units& units, std::span<const std::int32_t> members,
                                                    std::span<const std::int32_t> copied, bool share_views,
                                                    Scratch& scratch);

}  // namespace torchweld::fusion
