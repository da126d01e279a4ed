#include "codegen/loop.h"

#include <algorithm>
#include <cstdlib>

#include "torchweld/error.h"

namespace torchweld::codegen {
namespace {

using fusion::Access;
using fusion::Group;

std::int64_t product_of_extents(const std::vector<Loop>& loops) {
  std::int64_t product = 1;
  for (const Loop& loop : loops) product *= loop.extent;
  return product;
}

/// Accesses by the bytes they reach, largest first, stores before loads of the same size: their order decides.
std::vector<const Access*> by_size(const Group& group) {
  struct Sized {
    const Access* access;
    double bytes;
  };
  std::vector<Sized> sized;
  for (const Access& access : group.accesses) {
    double bytes = graph::size_of(access.dtype);
    for (std::size_t a = 0; a < group.axes.size(); ++a)
      if (access.strides[a] != 0) bytes *= static_cast<double>(group.axes[a].extent);
    sized.push_back({&access, bytes});
  }
  std::reverse(sized.begin(), sized.end());
  std::stable_sort(sized.begin(), sized.end(), [](const Sized& a, const Sized& b) { return a.bytes > b.bytes; });
  std::vector<const Access*> order;
  order.reserve(sized.size());
  for (const Sized& entry : sized) order.push_back(entry.access);
  return order;
}

/// Whether axis `a` belongs inside axis `b`: the first operand that has an opinion decides.
bool is_inside(const std::vector<const Access*>& order, std::size_t a, std::size_t b) {
  for (const Access* access : order) {
    const std::int64_t of_a = std::abs(access->strides[a]), of_b = std::abs(access->strides[b]);
    if (of_a != 0 && of_b != 0 && of_a != of_b) return of_a < of_b;
  }
  return false;
}

/// "Inside" is no strict order when operands disagree, so an insertion sort, which needs none.
void sort_axes(std::vector<int>& axes, const std::vector<const Access*>& order) {
  for (std::size_t i = 1; i < axes.size(); ++i)
    for (std::size_t j = i;
         j > 0 && is_inside(order, static_cast<std::size_t>(axes[j - 1]), static_cast<std::size_t>(axes[j])); --j)
      std::swap(axes[j - 1], axes[j]);
}

/// Axes whose index itself is used.
std::vector<bool> pinned_axes(const Group& group) {
  std::vector<bool> pinned(group.axes.size());
  for (const Access& access : group.accesses)
    if (access.guard) pinned[static_cast<std::size_t>(access.guard->axis)] = true;
  for (const fusion::Statement& statement : group.statements) {
    if (const auto* position = std::get_if<fusion::Position>(&statement.body))
      pinned[static_cast<std::size_t>(position->axis)] = true;
    if (const auto* choose = std::get_if<fusion::Choose>(&statement.body))
      pinned[static_cast<std::size_t>(choose->axis)] = true;
  }
  return pinned;
}

bool keeps_index_order(const Group& group) {
  return std::any_of(group.statements.begin(), group.statements.end(), [](const fusion::Statement& statement) {
    const auto* reduce = std::get_if<fusion::Reduce>(&statement.body);
    return reduce && (reduce->kind == graph::ReductionKind::argmax || reduce->kind == graph::ReductionKind::argmin);
  });
}

/// Appends the axes to `loops` and their strides to each access, merging neighbours where every access allows it.
void collapse(const Group& group, const std::vector<int>& axes, const std::vector<bool>& pinned,
              std::vector<Loop>& loops, std::vector<LoopAccess>& accesses, PartStrides LoopAccess::*part) {
  for (const int axis : axes) {
    const auto a = static_cast<std::size_t>(axis);
    const std::int64_t extent = group.axes[a].extent;
    bool merges =
        !loops.empty() && !pinned[a] && (loops.back().axis < 0 || !pinned[static_cast<std::size_t>(loops.back().axis)]);
    for (std::size_t i = 0; merges && i < accesses.size(); ++i)
      merges = (accesses[i].*part).per_loop.back() == group.accesses[i].strides[a] * extent;
    if (merges) {
      loops.back() = {loops.back().extent * extent, -1};
      for (std::size_t i = 0; i < accesses.size(); ++i)
        (accesses[i].*part).per_loop.back() = group.accesses[i].strides[a];
    } else {
      loops.push_back({extent, axis});
      for (std::size_t i = 0; i < accesses.size(); ++i)
        (accesses[i].*part).per_loop.push_back(group.accesses[i].strides[a]);
    }
  }
}

std::optional<std::int64_t> flat_stride(const std::vector<Loop>& loops, const graph::Dims& strides) {
  if (loops.empty()) return 0;
  for (std::size_t i = 0; i + 1 < loops.size(); ++i)
    if (strides[i] != strides[i + 1] * loops[i + 1].extent) return std::nullopt;
  return strides.back();
}

void find_flat_strides(LoopNest& nest) {
  for (LoopAccess& access : nest.accesses) {
    access.rows.flat = flat_stride(nest.rows, access.rows.per_loop);
    access.inner.flat = flat_stride(nest.inner, access.inner.per_loop);
  }
}

/// The inner loop becomes the innermost of the rows.
void move_to_rows(LoopNest& nest, std::size_t loop) {
  const auto at = static_cast<std::ptrdiff_t>(loop);
  nest.rows.push_back(nest.inner[loop]);
  nest.inner.erase(nest.inner.begin() + at);
  for (LoopAccess& access : nest.accesses) {
    access.rows.per_loop.push_back(access.inner.per_loop[loop]);
    access.inner.per_loop.erase(access.inner.per_loop.begin() + at);
  }
}

int phase_of(const LoopNest& nest, const fusion::Input& input) {
  const auto* statement = std::get_if<fusion::StatementIndex>(&input);
  return statement ? nest.steps[static_cast<std::size_t>(statement->index)].phase : 0;
}

int phase_of(const LoopNest& nest, int statement, const fusion::Statement& of) {
  for (const OnlineSoftmax& online : nest.onlines)
    if (online.sum == statement) return nest.steps[static_cast<std::size_t>(online.max)].phase;
  if (const auto* reduce = std::get_if<fusion::Reduce>(&of.body)) return phase_of(nest, reduce->input) + 1;
  int phase = 0;
  if (const auto* pointwise = std::get_if<fusion::Pointwise>(&of.body))
    for (const fusion::Input& input : pointwise->inputs) phase = std::max(phase, phase_of(nest, input));
  if (const auto* choose = std::get_if<fusion::Choose>(&of.body))
    for (const fusion::Input& input : choose->inputs) phase = std::max(phase, phase_of(nest, input));
  return phase;
}

bool spans_inner(const LoopNest& nest, const fusion::Statement& statement) {
  for (std::size_t a = 0; a < nest.group->axes.size(); ++a)
    if (statement.spans[a] && nest.group->axes[a].extent != 1 && nest.group->axes[a].reduced == nest.reduces)
      return true;
  return false;
}

}  // namespace

std::int64_t LoopNest::num_rows() const { return product_of_extents(rows); }
std::int64_t LoopNest::num_inner() const { return product_of_extents(inner); }

LoopNest make_loops(const fusion::Group& group, std::vector<OnlineSoftmax> onlines) {
  LoopNest nest;
  nest.group = &group;
  nest.onlines = std::move(onlines);
  for (const fusion::Statement& statement : group.statements)
    nest.reduces = nest.reduces || std::holds_alternative<fusion::Reduce>(statement.body);
  std::vector<int> rows, inner;
  for (std::size_t a = 0; a < group.axes.size(); ++a) {
    ensure(nest.reduces || !group.axes[a].reduced, "a group with a reduced axis has a reduction");
    if (group.axes[a].extent != 1)
      (group.axes[a].reduced == nest.reduces ? inner : rows).push_back(static_cast<int>(a));
  }
  const std::vector<const Access*> order = by_size(group);
  sort_axes(rows, order);
  if (!keeps_index_order(group)) sort_axes(inner, order);

  const std::vector<bool> pinned = pinned_axes(group);
  nest.accesses.resize(group.accesses.size());
  collapse(group, rows, pinned, nest.rows, nest.accesses, &LoopAccess::rows);
  collapse(group, inner, pinned, nest.inner, nest.accesses, &LoopAccess::inner);
  find_flat_strides(nest);

  for (std::size_t i = 0; i < group.statements.size(); ++i) {
    const fusion::Statement& statement = group.statements[i];
    nest.steps.push_back({spans_inner(nest, statement), phase_of(nest, static_cast<int>(i), statement)});
    nest.num_phases = std::max(nest.num_phases, nest.steps.back().phase + 1);
  }
  return nest;
}

void split_innermost(LoopNest& nest) {
  ensure(!nest.reduces, "only a group without a reduction chooses its rows");
  while (nest.inner.size() > 1) move_to_rows(nest, 0);
  find_flat_strides(nest);
}

void split_innermost_two(LoopNest& nest, std::size_t loop) {
  ensure(!nest.reduces && loop + 1 < nest.inner.size(), "only a group without a reduction chooses its rows");
  for (std::size_t k = nest.inner.size() - 1; k-- > 0;)
    if (k != loop) move_to_rows(nest, k);
  std::reverse(nest.rows.begin(), nest.rows.end());
  for (LoopAccess& access : nest.accesses) std::reverse(access.rows.per_loop.begin(), access.rows.per_loop.end());
  find_flat_strides(nest);
}

bool needs_wide_index(const LoopNest& nest) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 31;
  if (nest.num_rows() >= kLimit || nest.num_inner() >= kLimit) return true;
  for (const LoopAccess& access : nest.accesses) {
    std::int64_t reach = 0;
    for (std::size_t i = 0; i < nest.inner.size(); ++i)
      reach += std::abs(access.inner.per_loop[i]) * (nest.inner[i].extent - 1);
    if (reach >= kLimit) return true;
  }
  return false;
}

}  // namespace torchweld::codegen
