#include "codegen/cuda_indices.h"

#include <algorithm>

namespace torchweld::codegen {
namespace {

/// Whether anything needs the index of a single loop of a part.
bool needs_split(const LoopNest& nest, const std::vector<Loop>& loops, PartStrides LoopAccess::*part) {
  if (loops.size() < 2) return false;
  for (const LoopAccess& access : nest.accesses)
    if (!(access.*part).flat) return true;
  const fusion::Group& group = *nest.group;
  const auto is_used = [&](int axis) {
    for (const fusion::Access& access : group.accesses)
      if (access.guard && access.guard->axis == axis) return true;
    for (const fusion::Statement& statement : group.statements) {
      const auto* position = std::get_if<fusion::Position>(&statement.body);
      const auto* choose = std::get_if<fusion::Choose>(&statement.body);
      if ((position && position->axis == axis) || (choose && choose->axis == axis)) return true;
    }
    return false;
  };
  return std::any_of(loops.begin(), loops.end(),
                     [&](const Loop& loop) { return loop.axis >= 0 && is_used(loop.axis); });
}

bool has_negative_stride(const PartStrides& strides) {
  return std::any_of(strides.per_loop.begin(), strides.per_loop.end(), [](std::int64_t stride) { return stride < 0; });
}

}  // namespace

CudaIndices::CudaIndices(const LoopNest& nest, const Tile& tile, Arguments& arguments)
    : nest_(nest), tile_(tile), arguments_(arguments), rows_split_(needs_split(nest, nest.rows, &LoopAccess::rows)),
      inner_split_(needs_split(nest, nest.inner, &LoopAccess::inner)),
      by_element_(inner_split_ && tile.inner_vector() > 1 && (!tile.divides || tile.ends == Ends::shifted)) {}

void CudaIndices::split(Text& text, const std::string& index, const std::vector<Loop>& loops,
                        const std::string& divisor) {
  std::string whole = index;
  for (std::size_t loop = loops.size() - 1; loop > 0; --loop) {
    std::string quotient = index + '_';
    for (std::size_t k = 0; k < loop; ++k) append(quotient, k);
    const std::string by = arguments_.divisor(join(divisor, loop), loops[loop].extent, tile_.wide);
    text.line("const ", type(), ' ', quotient, " = quotient(", whole, ", ", by, "), ", index, '_', loop, " = ", whole,
              " - ", quotient, " * extent(", by, ");");
    whole = quotient;
  }
}

void CudaIndices::split_row(Text& text) {
  if (rows_split_) split(text, "row", nest_.rows, "row_extent");
}

bool CudaIndices::splits_at(Spot spot) const { return inner_split_ && (spot == Spot::element) == by_element_; }

void CudaIndices::split_inner(Text& text, Spot spot) {
  if (spot == Spot::edge ? !inner_split_ : !splits_at(spot)) return;
  if (spot == Spot::element) text.line("const ", type(), " i = j + v;");
  split(text, spot == Spot::element ? "i" : "j", nest_.inner, "extent");
}

void CudaIndices::bump_pointers(Text& text, const std::vector<std::string>& pointers, const std::vector<bool>& used) {
  for (std::size_t i = 0; i < nest_.accesses.size(); ++i) {
    const PartStrides& rows = nest_.accesses[i].rows;
    if (!used[i] || rows.is_zero()) continue;
    std::string sum;
    const auto add = [&](const std::string& index, std::int64_t stride, const std::string& name) {
      if (stride == 0) return;
      if (!sum.empty()) sum += " + ";
      sum += stride == 1 ? join("i64(", index, ')') : join(index, " * ", arguments_.integer(name, stride, 8));
    };
    if (rows.flat)
      add("row", *rows.flat, pointers[i] + "_row");
    else
      for (std::size_t k = 0; k < nest_.rows.size(); ++k)
        add(join("row_", k), rows.per_loop[k], join(pointers[i], "_row", k));
    text.line(pointers[i], " += ", sum, ';');
  }
}

std::string CudaIndices::inner_loop_index(std::size_t loop, Spot spot) const {
  const bool last = loop + 1 == nest_.inner.size();
  if (nest_.inner.size() == 1) return flat_index(spot);
  if (spot == Spot::element && by_element_) return join("i_", loop);
  return spot == Spot::element && last && tile_.inner_vector() > 1 ? join("(j_", loop, " + v)") : join("j_", loop);
}

std::string CudaIndices::flat_index(Spot spot) const {
  return spot == Spot::element && tile_.inner_vector() > 1 ? "(j + v)" : "j";
}

std::string CudaIndices::offset(int access, const std::string& pointer, Spot spot) {
  const PartStrides& inner = nest_.accesses[static_cast<std::size_t>(access)].inner;
  const int bytes = tile_.wide ? 8 : 4;
  std::string sum;
  const auto add = [&](const std::string& index, std::int64_t stride, const std::string& name) {
    if (stride == 0) return;
    if (!sum.empty()) sum += " + ";
    sum += stride == 1 ? index : join(index, " * ", arguments_.integer(name, stride, bytes));
  };
  if (tile_.columns && spot == Spot::element && tile_.vector > 1)
    add("v", nest_.accesses[static_cast<std::size_t>(access)].rows.per_loop.back(), pointer + "_across");
  if (spot == Spot::row) return sum;
  if (inner.flat)
    add(flat_index(spot), *inner.flat, pointer + "_stride");
  else
    for (std::size_t k = 0; k < nest_.inner.size(); ++k)
      add(inner_loop_index(k, spot), inner.per_loop[k], join(pointer, "_stride", k));
  const bool negative = has_negative_stride(inner) ||
                        (tile_.columns && has_negative_stride(nest_.accesses[static_cast<std::size_t>(access)].rows));
  return negative && !sum.empty() && !tile_.wide ? join("int(", sum, ')') : sum;
}

std::string CudaIndices::element(int access, const std::string& pointer, Spot spot) {
  std::string at = offset(access, pointer, spot);
  if (at.empty()) return join(pointer, "[0]");
  if (at.size() > 1 && at.front() == '(' && at.find(')') == at.size() - 1) at = at.substr(1, at.size() - 2);
  return join(pointer, '[', at, ']');
}

std::string CudaIndices::axis_index(int axis, Spot spot) const {
  for (std::size_t k = 0; k < nest_.rows.size(); ++k)
    if (nest_.rows[k].axis == axis) {
      std::string index = nest_.rows.size() == 1 ? std::string("row") : join("row_", k);
      const bool across = tile_.columns && tile_.vector > 1 && spot == Spot::element && k + 1 == nest_.rows.size();
      return across ? join('(', index, " + v)") : index;
    }
  for (std::size_t k = 0; k < nest_.inner.size(); ++k)
    if (nest_.inner[k].axis == axis) return inner_loop_index(k, spot);
  return "0";
}

}  // namespace torchweld::codegen
