// What CudaPhases prints for V rows a thread: values, stores and reductions of rows are arrays.
#include <algorithm>

#include "codegen/conditions.h"
#include "codegen/cuda_phases.h"
#include "codegen/expression.h"

namespace torchweld::codegen {

void CudaPhases::print_column_values(int phase) {
  std::vector<int> statements;
  for (std::size_t s = 0; s < nest_.steps.size(); ++s)
    if (!nest_.steps[s].inner && nest_.steps[s].phase == phase) statements.push_back(static_cast<int>(s));
  if (statements.empty()) return;
  print_column_loads(statements);
  for (const int i : statements) text_.line(scalars_.type(i), ' ', scalars_.name(i), '[', tile_.vector, "];");
  text_.line("#pragma unroll");
  text_.open("for (int v = 0; v < ", tile_.vector, "; ++v)");
  for (const int i : statements) {
    std::string right;
    if (is_load(i) && shape(access_of(i)).pattern == Pattern::vector) {
      const graph::DType dtype = nest_.group->accesses[static_cast<std::size_t>(access_of(i))].dtype;
      const std::string element = raw(access_of(i), false, true);
      right = graph::compute_dtype(dtype) == dtype ? element : join("to_register(", element, ')');
    } else {
      right = row_value(i, Spot::element);
      if (is_load(i) && shape(access_of(i)).pattern == Pattern::elements && !inside().empty())
        right = join(inside(), " ? ", right, " : ", scalars_.type(i), "(0)");
    }
    text_.line(scalars_.name(i), "[v] = ", right, ';');
  }
  text_.close();
}

/// The vectors that the row values of a phase are made from.
void CudaPhases::print_column_loads(const std::vector<int>& statements) {
  std::vector<int> vectors;
  for (const int i : statements)
    if (is_load(i) && shape(access_of(i)).pattern == Pattern::vector) vectors.push_back(i);
  print_loads(vectors, false);
}

void CudaPhases::print_column_stores(int phase) {
  const std::vector<int> stores = row_stores(phase);
  if (stores.empty()) return;
  text_.open("if (", both(row_is_live_, tile_.threads_per_row > 1 ? "t == 0" : ""), ')');
  std::vector<int> vectors;
  for (const int s : stores) {
    const int access = nest_.group->stores[static_cast<std::size_t>(s)].access;
    if (shape(access).pattern != Pattern::vector) continue;
    vectors.push_back(access);
    text_.line(register_type(nest_.group->accesses[static_cast<std::size_t>(access)].dtype), ' ',
               scalars_.pointer(access), "_values[", tile_.vector, "];");
  }
  text_.line("#pragma unroll");
  text_.open("for (int v = 0; v < ", tile_.vector, "; ++v)");
  for (const int s : stores) {
    const fusion::Store& store = nest_.group->stores[static_cast<std::size_t>(s)];
    const int statement = store.statement.index;
    const std::string& pointer = scalars_.pointer(store.access);
    const std::string stays = value(statement, Spot::element);
    if (shape(store.access).pattern == Pattern::vector)
      text_.line(pointer, "_values[v] = ",
                 converted(stays, nest_.group->statements[static_cast<std::size_t>(statement)].dtype,
                           nest_.group->accesses[static_cast<std::size_t>(store.access)].dtype),
                 ';');
    else
      text_.line(if_any(std::string(inside())), indices_.element(store.access, pointer, Spot::element), " = ",
                 scalars_.stored(store.access, statement, stays), ';');
  }
  text_.close();
  for (const int access : vectors) text_.line(stored_vector(access), ';');
  text_.close();
}

void CudaPhases::print_column_reduction(const PhaseWork& work) {
  std::string states;
  for (const int reduction : work.reductions)
    states += join(", ", tile_.vector > 1 ? "" : "&", scalars_.state(reduction));
  const std::string_view scratch = column_scratch_states(tile_) > 0 ? "scratch" : "nullptr";
  text_.line("column_reduce<", tile_.threads_across(), ", ", tile_.threads_per_row, ", ", tile_.vector, ">(", scratch,
             states, ");");
}

}  // namespace torchweld::codegen
