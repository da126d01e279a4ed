#include "fusion/domain.h"

#include <algorithm>
#include <string>

#include "fusion/size_text.h"

namespace torchweld::fusion {

using graph::Dims;
using graph::Value;

AxisMask mask_of(const Formation& formed, const Domain& domain, std::span<const AxisId> axes) {
  std::vector<AxisId> leaves;
  for (const AxisId axis : axes) formed.axes.append_leaves(axis, leaves);
  AxisMask mask = 0;
  for (const AxisId leaf : leaves) mask |= AxisMask{1} << domain.position[static_cast<std::size_t>(leaf)];
  return mask;
}

namespace {

class Layout {
public:
  Layout(const graph::Graph& graph, Formation& formed) : graph_(graph), formed_(formed) {}

  std::variant<Domain, Refusal> run() {
    if (auto refusal = agree_on_reduced_axes()) return *refusal;
    if (auto refusal = place_parts()) return *refusal;
    if (!place_axes()) return Refusal{Reason::domains_disagree, {}, "more than 64 axes"};
    for (const Window& window : formed_.windows)
      for (const AxisId axis : formed_.axes.leaves(window.part))
        domain_.position[index(axis)] = domain_.position[index(formed_.axes.leaves(window.whole)[0])];
    if (auto refusal = check_index_maps()) return *refusal;
    if (auto refusal = check_reductions()) return *refusal;
    if (auto refusal = check_stores()) return *refusal;
    return std::move(domain_);
  }

private:
  [[nodiscard]] static std::size_t index(int at) { return static_cast<std::size_t>(at); }
  [[nodiscard]] const Source& source(int at) const { return formed_.sources[index(at)]; }
  [[nodiscard]] Dims extents(std::span<const AxisId> axes) const {
    Dims result;
    for (const AxisId leaf : formed_.axes.leaves(axes)) result.push_back(formed_.axes.extent(leaf));
    return result;
  }
  [[nodiscard]] std::vector<AxisId> sorted_leaves(std::span<const AxisId> axes) const {
    std::vector<AxisId> leaves = formed_.axes.leaves(axes);
    std::sort(leaves.begin(), leaves.end());
    return leaves;
  }

  /// All reductions reduce one set of axes. Reductions that are not connected below may still iterate together.
  std::optional<Refusal> agree_on_reduced_axes() {
    if (formed_.reductions.empty()) return std::nullopt;
    const Reducing& first = formed_.reductions[0];
    for (const Reducing& other : formed_.reductions) {
      if (sorted_leaves(other.axes) == sorted_leaves(first.axes)) continue;
      if (extents(other.axes) == extents(first.axes) && extents(other.input) == extents(first.input) &&
          formed_.axes.unify(first.input, other.input) && sorted_leaves(other.axes) == sorted_leaves(first.axes))
        continue;
      return Refusal{Reason::reduces_other_dims, source(other.source).value,
                     text_of(extents(other.axes)) + " against " + text_of(extents(first.axes))};
    }
    return std::nullopt;
  }

  std::optional<Refusal> place_parts() {
    domain_.part.resize(formed_.axes.count());
    for (const Window& window : formed_.windows) {
      const std::vector<AxisId> part = formed_.axes.leaves(window.part);
      const std::vector<AxisId> whole = formed_.axes.leaves(window.whole);
      if (part.empty() && whole.size() <= 1) continue;
      if (part.size() != 1 || whole.size() != 1) {
        return Refusal{Reason::reshape_does_not_align, source(window.cat).value, "splits the axis of a cat"};
      }
      auto& placed = domain_.part[index(part[0])];
      const bool again = placed && (placed->begin != window.begin || placed->size != window.size);
      if (again || part[0] == whole[0] || domain_.part[index(whole[0])]) {
        return Refusal{Reason::two_index_maps, window.value, "is an operand of a cat and used again"};
      }
      placed = Part{window.begin, window.size};
    }
    return std::nullopt;
  }

  void add_axes(std::span<const AxisId> axes, bool reduced) {
    for (const AxisId leaf : formed_.axes.leaves(axes)) {
      int& position = domain_.position[index(leaf)];
      if (position >= 0 || domain_.part[index(leaf)] || (is_reduced_[index(leaf)] != 0) != reduced) continue;
      position = static_cast<int>(domain_.axes.size());
      domain_.axes.push_back(leaf);
    }
  }

  /// Kept axes in the order of the stores, then of the reductions' operands, then of everything else; reduced axes in
  /// the order of the first reduction's operand.
  bool place_axes() {
    domain_.position.assign(formed_.axes.count(), -1);
    domain_.part.resize(formed_.axes.count());
    is_reduced_.assign(formed_.axes.count(), 0);
    for (const Reducing& reducing : formed_.reductions)
      for (const AxisId leaf : formed_.axes.leaves(reducing.axes)) is_reduced_[index(leaf)] = 1;
    for (const PlannedStore& store : formed_.stores) add_axes(store.dims.axes, false);
    for (const Reducing& reducing : formed_.reductions) add_axes(reducing.input, false);
    for (const Source& source : formed_.sources) add_axes(source.dims.axes, false);
    domain_.kept = static_cast<int>(domain_.axes.size());
    for (const Reducing& reducing : formed_.reductions) add_axes(reducing.axes, true);
    return domain_.axes.size() <= kMaxAxes;
  }

  std::optional<Refusal> check_index_maps() const {
    for (const Source& source : formed_.sources) {
      AxisMask mask = 0;
      for (const AxisId leaf : formed_.axes.leaves(source.dims.axes)) {
        const AxisMask bit = AxisMask{1} << domain_.position[index(leaf)];
        if ((mask & bit) != 0) return Refusal{Reason::two_index_maps, source.value, "two of its dims are one axis"};
        mask |= bit;
      }
    }
    return std::nullopt;
  }

  std::optional<Refusal> check_reductions() const {
    for (const Reducing& reducing : formed_.reductions) {
      const AxisMask kept = mask_of(formed_, domain_, source(reducing.source).dims.axes);
      if (kept != domain_.kept_mask()) {
        return Refusal{Reason::reduction_repeats_per_row, source(reducing.source).value,
                       text_of(extents(source(reducing.source).dims.axes)) + " in rows of " + rows_text()};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool spans_rows(AxisMask mask) const {
    const AxisMask reduced = mask & domain_.reduced_mask();
    return (mask & domain_.kept_mask()) == domain_.kept_mask() && (reduced == 0 || reduced == domain_.reduced_mask());
  }

  /// A store narrower than the domain does not span it; where another store lacks axes that this one has, the two
  /// have different domains.
  std::optional<Refusal> check_stores() const {
    std::vector<AxisMask> masks;
    for (const PlannedStore& store : formed_.stores) masks.push_back(mask_of(formed_, domain_, store.dims.axes));
    for (std::size_t at = 0; at < masks.size(); ++at) {
      if (spans_rows(masks[at])) continue;
      const bool disagrees = std::any_of(masks.begin(), masks.end(), [&](AxisMask other) {
        return (other & ~masks[at]) != 0 && (masks[at] & ~other) != 0;
      });
      const Value value = formed_.stores[at].value;
      return Refusal{disagrees ? Reason::domains_disagree : Reason::output_does_not_span_domain, value,
                     text_of(graph_.tensor(value).sizes) + " in " + text_of(extents(domain_.axes))};
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string rows_text() const {
    return text_of(extents(std::span(domain_.axes).first(index(domain_.kept))));
  }

  const graph::Graph& graph_;
  Formation& formed_;
  Domain domain_;
  std::vector<char> is_reduced_;
};

}  // namespace

std::variant<Domain, Refusal> lay_out(const graph::Graph& graph, Formation& formed) {
  return Layout(graph, formed).run();
}

}  // namespace torchweld::fusion
