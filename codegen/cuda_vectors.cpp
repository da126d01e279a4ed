// The inner loops of CudaPhases: loads, values and stores of vectors, and of the single elements at shifted ends.
#include <algorithm>

#include "codegen/conditions.h"
#include "codegen/cuda_phases.h"
#include "codegen/expression.h"

namespace torchweld::codegen {

void CudaPhases::print_vectors(const PhaseWork& work, int phase) {
  const std::string k = k_.empty() ? "" : join('[', tile_.vectors_per_thread, ']');
  std::vector<int> batched, later;
  for (const int i : work.statements) {
    if (!is_load(i)) continue;
    const bool declared = is_batched(i, phase) || keeps(i, phase);
    (is_batched(i, phase) ? batched : later).push_back(i);
    if (!declared) continue;
    const int access = access_of(i);
    const bool is_pack = tile_.vector > 1 && shape(access).pattern != Pattern::one;
    text_.line(is_pack ? join("Pack<", memory(access), ", ", tile_.vector, '>') : std::string(memory(access)), ' ',
               scalars_.name(i), is_pack ? "_pack" : "_raw", k, ';');
  }
  if (!batched.empty()) {
    const bool masked = open_vectors();
    if (std::any_of(batched.begin(), batched.end(), [&](int i) { return needs_loop_indices(access_of(i)); }))
      indices_.split_inner(text_, Spot::vector);
    print_loads(batched, true);
    close_vectors(masked);
  }
  const bool masked = open_vectors();
  print_values(work, phase, later);
  close_vectors(masked);
}

bool CudaPhases::needs_loop_indices(int access) const {
  const auto i = static_cast<std::size_t>(access);
  return !nest_.accesses[i].inner.flat || nest_.group->accesses[i].guard;
}

/// Whether the values and stores of a phase, or these loads, need the indices of single loops.
bool CudaPhases::needs_loop_indices(const PhaseWork& work, const std::vector<int>& loads) const {
  for (const int i : loads)
    if (needs_loop_indices(access_of(i))) return true;
  for (const int s : work.stores)
    if (needs_loop_indices(nest_.group->stores[static_cast<std::size_t>(s)].access)) return true;
  return std::any_of(work.statements.begin(), work.statements.end(), [&](int i) {
    const auto& body = nest_.group->statements[static_cast<std::size_t>(i)].body;
    return std::holds_alternative<fusion::Position>(body) || std::holds_alternative<fusion::Choose>(body);
  });
}

/// What memory holds of an access: the pack of a vector, one element of it, or the single element.
std::string CudaPhases::raw(int access, bool indexed, bool at_element) const {
  const bool is_pack = tile_.vector > 1 && shape(access).pattern != Pattern::one;
  return join('x', access, is_pack ? "_pack" : "_raw", indexed ? k_ : std::string(),
              is_pack && at_element ? ".v[v]" : "");
}

/// `indexed`: into arrays that are declared, one element for each of the thread's vectors.
void CudaPhases::print_loads(const std::vector<int>& loads, bool indexed) {
  std::vector<int> by_element;
  for (const int i : loads) {
    const int access = access_of(i);
    const AccessShape& how = shape(access);
    const std::string& pointer = scalars_.pointer(access);
    if (how.pattern == Pattern::elements && tile_.vector > 1) {
      by_element.push_back(i);
      continue;
    }
    std::string type(memory(access)), right;
    if (how.pattern == Pattern::vector) {
      type = join("Pack<", type, ", ", tile_.vector, '>');
      const int whole =
          std::min(graph::kVectorBytes,
                   tile_.vector * graph::size_of(nest_.group->accesses[static_cast<std::size_t>(access)].dtype));
      const std::string word = how.word_bytes < whole ? join(", ", how.word_bytes) : "";
      right = has_partial_vectors()
                  ? join("load_upto<", tile_.vector, word, ">(", at(pointer, access), ", ", rest(), ')')
                  : join("load<", tile_.vector, word, ">(", at(pointer, access), ')');
    } else {
      right = indices_.element(access, pointer, Spot::vector);
    }
    if (const std::string guard = scalars_.guard(access, place(Spot::vector)); !guard.empty())
      right = join(guard, " ? ", right, " : ", type, "()");
    const bool declared = indexed || kept_.keep[static_cast<std::size_t>(i)];
    text_.line(declared ? std::string() : join("const ", type, ' '), raw(access, indexed, false), " = ", right, ';');
  }
  if (!by_element.empty()) print_element_loads(by_element, indexed);
}

void CudaPhases::print_element_loads(const std::vector<int>& loads, bool indexed) {
  for (const int i : loads)
    if (!indexed && !kept_.keep[static_cast<std::size_t>(i)])
      text_.line("Pack<", memory(access_of(i)), ", ", tile_.vector, "> ", raw(access_of(i), false, false), ';');
  text_.line("#pragma unroll");
  text_.open("for (int v = 0; v < ", tile_.vector, "; ++v)");
  indices_.split_inner(text_, Spot::element);
  for (const int i : loads) {
    const int access = access_of(i);
    const std::string condition = both(std::string(inside()), scalars_.guard(access, place(Spot::element)));
    const std::string element = indices_.element(access, scalars_.pointer(access), Spot::element);
    text_.line(raw(access, indexed, true), " = ",
               condition.empty() ? element : join(condition, " ? ", element, " : ", memory(access), "()"), ';');
  }
  text_.close();
}

void CudaPhases::print_values(const PhaseWork& work, int phase, const std::vector<int>& later_loads) {
  if (needs_loop_indices(work, later_loads)) indices_.split_inner(text_, Spot::vector);
  print_loads(later_loads, false);
  for (const int s : work.stores) {
    const int access = nest_.group->stores[static_cast<std::size_t>(s)].access;
    if (shape(access).pattern == Pattern::vector)
      text_.line(register_type(nest_.group->accesses[static_cast<std::size_t>(access)].dtype), ' ',
                 scalars_.pointer(access), "_values[", tile_.vector, "];");
  }
  if (tile_.vector > 1) {
    for (const int reduction : work.reductions)
      if (scalars_.is_online(reduction) && !tile_.columns)
        text_.line("float ", scalars_.name(reduction), "_input[", tile_.vector, "];");
    text_.line("#pragma unroll");
    text_.open("for (int v = 0; v < ", tile_.vector, "; ++v)");
  }
  print_elements(work, phase);
  if (tile_.vector > 1) {
    text_.close();
    for (const int reduction : work.reductions)
      if (scalars_.is_online(reduction) && !tile_.columns)
        text_.line(scalars_.state(reduction), ".push(", scalars_.name(reduction), "_input);");
  }
  print_stores(work);
}

void CudaPhases::print_elements(const PhaseWork& work, int phase) {
  if (tile_.vector > 1 && needs_loop_indices(work, {})) indices_.split_inner(text_, Spot::element);
  const auto unpack = [&](int i, bool indexed) {
    const int access = access_of(i);
    const graph::DType dtype = nest_.group->accesses[static_cast<std::size_t>(access)].dtype;
    const std::string element = raw(access, indexed, true);
    text_.line("const ", scalars_.type(i), ' ', scalars_.name(i), " = ",
               graph::compute_dtype(dtype) == dtype ? element : join("to_register(", element, ')'), ';');
  };
  for (const int i : work.reused)
    if (is_load(i)) unpack(i, true);
  for (const int i : work.statements) {
    if (is_load(i))
      unpack(i, is_batched(i, phase));
    else
      text_.line(keeps(i, phase) ? std::string() : join("const ", scalars_.type(i), ' '), value(i, Spot::element),
                 " = ", scalars_.expression(i, place(Spot::element)), ';');
  }
  for (const int reduction : work.reductions) {
    const std::string pushed = scalars_.pushed(reduction, place(Spot::element), indices_.flat_index(Spot::element));
    if (scalars_.is_online(reduction) && tile_.inner_vector() > 1)
      text_.line(scalars_.name(reduction), "_input[v] = ", pushed, ';');
    else
      text_.line(scalars_.state(reduction), tile_.columns ? v_ : "", ".push(", pushed, ");");
  }
  for (const int s : work.stores) {
    const fusion::Store& store = nest_.group->stores[static_cast<std::size_t>(s)];
    const fusion::Access& access = nest_.group->accesses[static_cast<std::size_t>(store.access)];
    const std::string& pointer = scalars_.pointer(store.access);
    const int statement = store.statement.index;
    const std::string stays = value(statement, Spot::element);
    if (shape(store.access).pattern == Pattern::vector) {
      text_.line(pointer, "_values[v] = ",
                 converted(stays, nest_.group->statements[static_cast<std::size_t>(statement)].dtype, access.dtype),
                 ';');
      continue;
    }
    const std::string condition =
        both(both(row_is_live_, std::string(inside())), scalars_.guard(store.access, place(Spot::element)));
    text_.line(if_any(condition), indices_.element(store.access, pointer, Spot::element), " = ",
               scalars_.stored(store.access, statement, stays), ';');
  }
}

void CudaPhases::print_stores(const PhaseWork& work) {
  for (const int s : work.stores) {
    const int i = nest_.group->stores[static_cast<std::size_t>(s)].access;
    if (shape(i).pattern != Pattern::vector) continue;
    const std::string condition = both(row_is_live_, scalars_.guard(i, place(Spot::vector)));
    text_.line(if_any(condition), stored_vector(i), ';');
  }
}

std::string CudaPhases::at(const std::string& pointer, int access) {
  const std::string offset = indices_.offset(access, pointer, Spot::vector);
  return offset.empty() ? pointer : join(pointer, " + ", offset);
}

/// The store of a whole vector of values.
std::string CudaPhases::stored_vector(int access) {
  const fusion::Access& of = nest_.group->accesses[static_cast<std::size_t>(access)];
  const std::string& pointer = scalars_.pointer(access);
  const int whole = std::min(graph::kVectorBytes, tile_.vector * graph::size_of(of.dtype));
  const std::string word = shape(access).word_bytes < whole ? join('<', shape(access).word_bytes, '>') : "";
  const std::string pack = join("packed<", memory(access), ">(", pointer, "_values)");
  return has_partial_vectors() ? join("store_upto", word, '(', at(pointer, access), ", ", pack, ", ", rest(), ')')
                               : join("store", word, '(', at(pointer, access), ", ", pack, ')');
}

void CudaPhases::print_edge(const PhaseWork& work, int phase) {
  text_.open("if (", is_partial() ? "split == 0 && " : "", "edge < n)");
  text_.line("const unsigned j = edge;");
  indices_.split_inner(text_, Spot::edge);
  for (const int i : work.statements) {
    std::string right;
    if (is_load(i))
      right = scalars_.load(access_of(i), indices_.element(access_of(i), scalars_.pointer(access_of(i)), Spot::edge),
                            place(Spot::edge));
    else
      right = scalars_.expression(i, place(Spot::edge));
    text_.line(keeps(i, phase) ? std::string() : join("const ", scalars_.type(i), ' '), value(i, Spot::edge), " = ",
               right, ';');
  }
  for (const int reduction : work.reductions)
    text_.line(scalars_.state(reduction), ".push(", scalars_.pushed(reduction, place(Spot::edge), "j"), ");");
  for (const int s : work.stores) {
    const fusion::Store& store = nest_.group->stores[static_cast<std::size_t>(s)];
    const int statement = store.statement.index;
    const std::string condition = both(row_is_live_, scalars_.guard(store.access, place(Spot::edge)));
    text_.line(if_any(condition), indices_.element(store.access, scalars_.pointer(store.access), Spot::edge), " = ",
               scalars_.stored(store.access, statement, value(statement, Spot::edge)), ';');
  }
  text_.close();
}

}  // namespace torchweld::codegen
