#include "codegen/cuda_squares.h"

#include <algorithm>

#include "codegen/approximate.h"
#include "codegen/conditions.h"
#include "codegen/cuda_kernel.h"

namespace torchweld::codegen {

CudaSquares::CudaSquares(const LoopNest& nest, const Tile& tile, Arguments& arguments)
    : nest_(nest), tile_(tile), arguments_(arguments),
      scalars_(nest, arguments, find_approximable(*nest.group), std::vector<bool>(nest.accesses.size(), true)),
      indices_(nest, tile, arguments), x_(tile.vector > 1 ? join("x * ", tile.vector) : "x"),
      y_(join("y + k * ", tile.threads / kLanes)) {}

std::string CudaSquares::print() {
  print_square();
  print_uniform_values();
  const bool turns_loads = !loads(true).empty(), turns_stores = !stores(true).empty();
  if (turns_loads) print_loads(true);
  if (!loads(false).empty()) print_loads(false);
  if (turns_loads) print_turned_loads_to_shared();
  print_values();
  if (turns_stores) print_turned_stores();
  return text_.lines();
}

void CudaSquares::print_square() {
  for (std::size_t i = 0; i < nest_.accesses.size(); ++i) {
    const int access = static_cast<int>(i);
    // A word more than a row, so that a column lies in different banks.
    if (shape(access).pattern == Pattern::turned)
      text_.line("SHARED(", memory(access), ", ", square(access), ", [", tile_.side(), "][",
                 tile_.side() + tile_.vector, "]);");
  }
  const std::string_view type = indices_.type();
  text_.line("const unsigned x = threadIdx.x % ", kLanes, ", y = threadIdx.x / ", kLanes, ';');
  const int side = tile_.side();
  const auto squares = [&](std::size_t loop) { return (nest_.inner[loop].extent + side - 1) / side; };
  const std::string by_1 = arguments_.divisor("squares1", squares(1), tile_.wide);
  text_.line("const ", type, " block = blockIdx.x, strip = quotient(block, ", by_1,
             "), at_1 = (block - strip * extent(", by_1, ")) * ", side, ';');
  if (nest_.rows.empty()) {
    text_.line("const ", type, " at_0 = strip * ", side, ';');
  } else {
    const std::string by_0 = arguments_.divisor("squares0", squares(0), tile_.wide);
    text_.line("const ", type, " row = quotient(strip, ", by_0, "), at_0 = (strip - row * extent(", by_0, ")) * ", side,
               ';');
    std::vector<std::string> pointers;
    for (std::size_t i = 0; i < nest_.accesses.size(); ++i) pointers.push_back(scalars_.pointer(static_cast<int>(i)));
    indices_.split_row(text_);
    indices_.bump_pointers(text_, pointers, std::vector<bool>(nest_.accesses.size(), true));
  }
  if (tile_.ends == Ends::exact) return;
  for (const std::size_t loop : {std::size_t{0}, std::size_t{1}})
    arguments_.integer(join("extent", loop), nest_.inner[loop].extent, tile_.wide ? 8 : 4);
}

void CudaSquares::print_uniform_values() {
  for (std::size_t s = 0; s < nest_.steps.size(); ++s)
    if (!nest_.steps[s].inner) {
      const int i = static_cast<int>(s);
      const auto* load = std::get_if<fusion::Load>(&nest_.group->statements[s].body);
      const std::string right =
          load ? scalars_.load(load->access, indices_.element(load->access, scalars_.pointer(load->access), Spot::row),
                               place(Spot::row))
               : scalars_.expression(i, place(Spot::row));
      text_.line("const ", scalars_.type(i), ' ', scalars_.name(i), " = ", right, ';');
    }
}

/// All loads of a thread are issued before the first is used.
void CudaSquares::print_loads(bool turned) {
  for (const int access : loads(turned))
    text_.line(memory_vector(access), " x", access, "_raw[", tile_.vectors_per_thread, "];");
  open_square(turned);
  for (const int access : loads(turned)) {
    const std::string raw = join('x', access, "_raw[k]"), guard = scalars_.guard(access, place(Spot::vector));
    const auto guarded = [&](const std::string& right) {
      return guard.empty() ? right : join(guard, " ? ", right, " : ", memory_vector(access), "()");
    };
    if (is_vector(access)) {
      text_.line(raw, " = ", guarded(join("load<", tile_.vector, ">(", pointer_at(access), ')')), ';');
    } else if (tile_.vector == 1 || shape(access).pattern == Pattern::one) {
      text_.line(raw, " = ", guarded(indices_.element(access, scalars_.pointer(access), Spot::vector)), ';');
    } else {
      open_vector();
      text_.line(raw, ".v[v] = ", indices_.element(access, scalars_.pointer(access), Spot::element), ';');
      close_vector();
    }
  }
  close_square();
}

void CudaSquares::print_turned_loads_to_shared() {
  open_square(true);
  for (const int access : loads(true)) {
    if (tile_.vector > 1)
      text_.line("store(", square(access), '[', y_, "] + ", x_, ", x", access, "_raw[k]);");
    else
      text_.line(square(access), '[', y_, "][x] = x", access, "_raw[k];");
  }
  close_square();
  text_.line("block_sync();");
}

void CudaSquares::print_values() {
  open_square(false);
  for (const int s : stores(false)) {
    const int access = nest_.group->stores[static_cast<std::size_t>(s)].access;
    if (is_vector(access))
      text_.line(register_type(at(access).dtype), ' ', scalars_.pointer(access), "_values[", tile_.vector, "];");
  }
  open_vector();
  for (std::size_t i = 0; i < nest_.steps.size(); ++i)
    if (nest_.steps[i].inner) print_value(static_cast<int>(i));
  for (const fusion::Store& store : nest_.group->stores) print_store(store);
  close_vector();
  print_direct_stores();
  close_square();
}

void CudaSquares::print_value(int statement) {
  std::string right;
  if (const auto* load = std::get_if<fusion::Load>(&nest_.group->statements[static_cast<std::size_t>(statement)].body))
    right = as_register(load->access, element(load->access));
  else
    right = scalars_.expression(statement, place(Spot::element));
  text_.line("const ", scalars_.type(statement), ' ', scalars_.name(statement), " = ", right, ';');
}

/// Of one element: to memory, to the vector that goes there, or to the square.
void CudaSquares::print_store(const fusion::Store& store) {
  const int access = store.access, statement = store.statement.index;
  const std::string& pointer = scalars_.pointer(access);
  if (shape(access).pattern == Pattern::turned) {
    text_.line(square(access), '[', y_, "][", x_, tile_.vector > 1 ? " + v" : "",
               "] = ", scalars_.stored(access, statement, value(statement)), ';');
  } else if (is_vector(access)) {
    const graph::DType dtype = nest_.group->statements[static_cast<std::size_t>(statement)].dtype;
    text_.line(pointer, "_values[v] = ", converted(value(statement), dtype, at(access).dtype), ';');
  } else {
    text_.line(if_any(scalars_.guard(access, place(Spot::element))), indices_.element(access, pointer, Spot::element),
               " = ", scalars_.stored(access, statement, value(statement)), ';');
  }
}

void CudaSquares::print_direct_stores() {
  for (const int s : stores(false)) {
    const int access = nest_.group->stores[static_cast<std::size_t>(s)].access;
    if (is_vector(access))
      text_.line(if_any(scalars_.guard(access, place(Spot::vector))), "store(", pointer_at(access), ", packed<",
                 memory(access), ">(", scalars_.pointer(access), "_values));");
  }
}

void CudaSquares::print_turned_stores() {
  text_.line("block_sync();");
  open_square(true);
  for (const int s : stores(true)) {
    const int access = nest_.group->stores[static_cast<std::size_t>(s)].access;
    const std::string guard = if_any(scalars_.guard(access, place(Spot::vector)));
    if (tile_.vector == 1) {
      text_.line(guard, indices_.element(access, scalars_.pointer(access), Spot::vector), " = ", square(access), "[x][",
                 y_, "];");
      continue;
    }
    text_.line(memory_vector(access), ' ', scalars_.pointer(access), "_raw;");
    open_vector();
    text_.line(scalars_.pointer(access), "_raw.v[v] = ", square(access), '[', x_, " + v][", y_, "];");
    close_vector();
    text_.line(guard, "store(", pointer_at(access), ", ", scalars_.pointer(access), "_raw);");
  }
  close_square();
}

// ---- Pieces

void CudaSquares::open_square(bool turned) {
  text_.line("#pragma unroll");
  text_.open("for (int k = 0; k < ", tile_.vectors_per_thread, "; ++k)");
  text_.line("const ", indices_.type(), " j_0 = at_0 + ", turned ? x_ : y_, ", j_1 = at_1 + ", turned ? y_ : x_, ';');
  if (tile_.ends != Ends::exact) text_.open("if (j_0 < extent0 && j_1 < extent1)");
}

void CudaSquares::close_square() {
  if (tile_.ends != Ends::exact) text_.close();
  text_.close();
}

void CudaSquares::open_vector() {
  if (tile_.vector == 1) return;
  text_.line("#pragma unroll");
  text_.open("for (int v = 0; v < ", tile_.vector, "; ++v)");
}

void CudaSquares::close_vector() {
  if (tile_.vector > 1) text_.close();
}

/// The accesses that inner statements load.
std::vector<int> CudaSquares::loads(bool turned) const {
  std::vector<int> accesses;
  for (std::size_t i = 0; i < nest_.steps.size(); ++i)
    if (const auto* load = std::get_if<fusion::Load>(&nest_.group->statements[i].body))
      if (nest_.steps[i].inner && (shape(load->access).pattern == Pattern::turned) == turned)
        accesses.push_back(load->access);
  return accesses;
}

/// Positions of the group's stores.
std::vector<int> CudaSquares::stores(bool turned) const {
  std::vector<int> positions;
  for (std::size_t s = 0; s < nest_.group->stores.size(); ++s)
    if ((shape(nest_.group->stores[s].access).pattern == Pattern::turned) == turned)
      positions.push_back(static_cast<int>(s));
  return positions;
}

Place CudaSquares::place(Spot spot) {
  return {[this](int statement) { return value(statement); },
          [this, spot](int axis) { return indices_.axis_index(axis, spot); }};
}

bool CudaSquares::is_vector(int access) const {
  const Pattern pattern = shape(access).pattern;
  return tile_.vector > 1 && (pattern == Pattern::vector || pattern == Pattern::turned);
}

/// What a thread holds of an access: a vector, or one element.
std::string CudaSquares::memory_vector(int access) const {
  const bool one = tile_.vector == 1 || shape(access).pattern == Pattern::one;
  return one ? std::string(memory(access)) : join("Pack<", memory(access), ", ", tile_.vector, '>');
}

std::string CudaSquares::pointer_at(int access) {
  return join(scalars_.pointer(access), " + ", indices_.offset(access, scalars_.pointer(access), Spot::vector));
}

std::string CudaSquares::element(int access) {
  if (shape(access).pattern == Pattern::turned)
    return join(square(access), '[', x_, tile_.vector > 1 ? " + v" : "", "][", y_, ']');
  const bool one = tile_.vector == 1 || shape(access).pattern == Pattern::one;
  return join('x', access, "_raw[k]", one ? "" : ".v[v]");
}

std::string CudaSquares::as_register(int access, const std::string& memory) const {
  const graph::DType dtype = at(access).dtype;
  return dtype == graph::DType::f16 || dtype == graph::DType::bf16 ? join("to_register(", memory, ')') : memory;
}

Kernel print_squares(const LoopNest& nest, const Tile& tile, std::string name, std::string_view schedule) {
  Arguments arguments;
  const std::string body = CudaSquares(nest, tile, arguments).print();
  return kernel_from_body(body, arguments, tile, std::move(name), schedule);
}

}  // namespace torchweld::codegen
