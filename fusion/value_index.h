#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fusion/formation.h"

namespace torchweld::fusion {

/// A value inside a group. Views share the source of what they are views of.
struct Indexed {
  graph::Value value;
  int context = 0;  ///< as in contexts.h
  int source = -1;  ///< in Formation::sources
  DimAxes dims;
};

inline constexpr int kRefused = -1;

/// Finds the axes of every value that a group touches. The first refusal stays.
class ValueIndex {
public:
  ValueIndex(const Units& units, bool share_views, Scratch& scratch, Formation& formed);
  ValueIndex(const ValueIndex&) = delete;
  ValueIndex& operator=(const ValueIndex&) = delete;
  ~ValueIndex();

  /// The place of `value`, read or viewed in `context`; kRefused where it has no axes. Results of members must have
  /// been added.
  int find_or_add(graph::Value value, int context);
  void add_member(graph::Value result, int context, DimAxes dims, std::vector<int> operands);
  /// Stays valid until the next value is added.
  [[nodiscard]] const Indexed& at(int index) const { return indexed_[static_cast<std::size_t>(index)]; }

  int refuse(Reason reason, graph::Value value, std::string details);
  [[nodiscard]] const std::optional<Refusal>& refusal() const { return refusal_; }

private:
  [[nodiscard]] bool is_member(std::int32_t node) const;
  [[nodiscard]] const graph::Node& node_at(std::int32_t index) const;
  [[nodiscard]] int find(graph::Value value, int context) const;
  int add(Indexed entry);
  int add_source(Source source, std::vector<int> operands);
  int add_read(graph::Value value, int context, graph::Value base, const MemoryView& memory);
  int add_inside(graph::Value value, std::int32_t unit, int context);
  int add_view(graph::Value value, int context);
  std::optional<DimAxes> view_dims(const graph::Node& node, const DimAxes& from);

  const Units& units_;
  const graph::Graph& graph_;
  bool share_views_;
  Scratch& scratch_;
  Formation& formed_;
  std::vector<Indexed> indexed_;
  std::optional<Refusal> refusal_;
};

}  // namespace torchweld::fusion
