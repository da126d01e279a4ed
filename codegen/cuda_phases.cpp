#include "codegen/cuda_phases.h"

#include <algorithm>

#include "codegen/approximate.h"
#include "codegen/conditions.h"
#include "codegen/cuda_kernel.h"
#include "codegen/expression.h"

namespace torchweld::codegen {
CudaPhases::CudaPhases(const LoopNest& nest, const Tile& tile, const Part& part, Kept kept, Arguments& arguments)
    : nest_(nest), tile_(tile), part_(part), kept_(std::move(kept)), work_(work_of_phases(nest, kept_)),
      arguments_(arguments), used_(used_accesses(nest, part, work_)),
      scalars_(nest, arguments, find_approximable(*nest.group), used_), indices_(nest, tile, arguments),
      k_(tile.vectors_per_thread > 1 ? "[k]" : ""), v_(tile.vector > 1 ? "[v]" : "") {}

std::string CudaPhases::print() {
  print_row();
  if (part_.kind != Part::Kind::combined) print_tile();
  for (int phase = 0; phase < (is_partial() ? 1 : nest_.num_phases); ++phase) print_phase(phase);
  if (is_partial()) print_partial_stores();
  return text_.lines();
}

// ---- Beginning

void CudaPhases::print_row() {
  declare_scratch();
  if (!tile_.has_rows()) return;
  const std::string_view type = indices_.type();
  const int along = tile_.threads_per_row, across = tile_.threads_across();
  const std::string block_index = is_partial() ? "block" : "blockIdx.x";
  if (is_partial()) print_block();
  if (tile_.rows_per_block() == 1) {
    text_.line("const unsigned t = threadIdx.x;");
    text_.line("const ", type, " row = ", block_index, ';');
  } else {
    const std::string rows = arguments_.integer("rows", nest_.num_rows(), tile_.wide ? 8 : 4);
    const std::string block = join(tile_.wide ? join("i64(", block_index, ')') : block_index, " * ", across);
    const std::string whole_vectors = tile_.vector > 1 ? join(" / ", tile_.vector, " * ", tile_.vector) : "";
    std::string wanted;
    if (tile_.columns) {
      text_.line("const unsigned x = threadIdx.x", along > 1 ? join(" % ", across, ", t = threadIdx.x / ", across) : "",
                 ";  // across columns", along > 1 ? ", and along them" : "");
      wanted = join('(', block, " + x) * ", tile_.vector);
    } else {
      if (along > 1) text_.line("const unsigned t = threadIdx.x % ", along, ";");
      wanted = join(block, " + threadIdx.x", along > 1 ? join(" / ", along) : "");
    }
    text_.line("const ", type, " wanted = ", wanted, ';');
    text_.line("const bool live = wanted < rows;");
    const std::string last = tile_.columns ? join("(rows - 1)", whole_vectors) : "rows - 1";
    text_.line("const ", type, " row = live ? wanted : ", last,
               ";  // threads past the end work along, storing nothing");
    row_is_live_ = "live";
  }
  std::vector<std::string> pointers;
  for (std::size_t i = 0; i < nest_.accesses.size(); ++i) pointers.push_back(scalars_.pointer(static_cast<int>(i)));
  indices_.split_row(text_);
  indices_.bump_pointers(text_, pointers, used_);
}

void CudaPhases::declare_scratch() {
  int words = 0, reductions = 0;
  for (const PhaseWork& work : work_) {
    int of_phase = 0;
    for (const int reduction : work.reductions) of_phase += state_words(nest_, reduction);
    words = std::max(words, of_phase);
    reductions += of_phase > 0 ? 1 : 0;
  }
  if (words == 0 || tile_.threads_per_row == 1) return;
  if (tile_.columns && column_scratch_states(tile_) == 0) return;
  if (tile_.columns)
    text_.line("SHARED(unsigned, scratch, [", words * column_scratch_states(tile_), "]);");
  else if (tile_.threads_per_row > 32)
    text_.line("SHARED(unsigned, scratch, [", std::min(reductions, 2), "][", words * tile_.threads / 32, "]);");
}

void CudaPhases::print_tile() {
  if (tile_.ends != Ends::exact) arguments_.integer("n", nest_.num_inner(), tile_.wide ? 8 : 4);
  if (tile_.ends == Ends::shifted) print_shift();
  if (is_partial()) print_chunk();
  if (tile_.looped) return;
  const std::string_view type = indices_.type(), name = tile_.vectors_per_thread > 1 ? "first" : "j";
  const std::string scale = tile_.inner_vector() > 1 ? join(" * ", tile_.inner_vector()) : "";
  if (tile_.has_rows()) {
    const std::string_view t = tile_.columns && tile_.threads_per_row == 1 ? "0" : "t";
    text_.line("const ", type, ' ', name, " = ", tile_.ends == Ends::shifted ? "head + " : "", t, scale, ';');
    return;
  }
  const std::string thread = join(tile_.wide ? "i64(blockIdx.x)" : "blockIdx.x", " * ",
                                  tile_.threads * tile_.vectors_per_thread, " + threadIdx.x");
  text_.line("const ", type, ' ', name, " = ", scale.empty() ? thread : join('(', thread, ')', scale), ';');
}

void CudaPhases::print_shift() {
  const int v = tile_.vector;
  const std::string aligned = join("elements_to_alignment<", v, ">(", scalars_.pointer(tile_.pivot), ')');
  text_.line("const unsigned to_alignment = ", aligned, ';');
  text_.line("const unsigned head = to_alignment < n ? to_alignment : n, body_end = head + (n - head) / ", v, " * ", v,
             ';');
  text_.line("const unsigned edge = t < head ? t : body_end + (t - head);  // this thread's element outside the body");
}

// ---- One phase

void CudaPhases::print_phase(int phase) {
  const PhaseWork& work = work_[static_cast<std::size_t>(phase)];
  if (nest_.num_phases > 1) text_.line("// phase ", phase);
  print_row_values(phase);
  if (!is_partial()) print_row_stores(phase);
  if (part_.kind == Part::Kind::combined && !work.reductions.empty()) return print_combination();
  if (work.reductions.empty() && work.stores.empty()) return;
  declare_states(work);
  declare_kept(work, phase);
  if (tile_.looped) {
    const int step = tile_.threads_along() * tile_.inner_vector() * tile_.vectors_per_thread;
    const std::string_view name = tile_.vectors_per_thread > 1 ? "first" : "j";
    const std::string_view begin = is_partial() ? "begin + " : tile_.ends == Ends::shifted ? "head + " : "";
    const std::string from = join(begin, tile_.threads_per_row > 1 ? "t" : "0",
                                  tile_.inner_vector() > 1 ? join(" * ", tile_.inner_vector()) : "");
    text_.open("for (", indices_.type(), ' ', name, " = ", from, "; ", name, " < ", limit(), "; ", name, " += ", step,
               ')');
    print_vectors(work, phase);
    text_.close();
  } else {
    print_vectors(work, phase);
  }
  if (tile_.ends == Ends::shifted) print_edge(work, phase);
  print_reduction(work);
}

void CudaPhases::print_row_values(int phase) {
  if (tile_.columns && tile_.vector > 1) return print_column_values(phase);
  for (std::size_t s = 0; s < nest_.steps.size(); ++s) {
    if (nest_.steps[s].inner || nest_.steps[s].phase != phase) continue;
    const int i = static_cast<int>(s);
    text_.line("const ", scalars_.type(i), ' ', scalars_.name(i), " = ", row_value(i, Spot::row), ';');
  }
}

std::string CudaPhases::row_value(int statement, Spot spot) {
  if (is_load(statement)) {
    const int access = access_of(statement);
    return scalars_.load(access, indices_.element(access, scalars_.pointer(access), spot), place(spot));
  }
  if (std::holds_alternative<fusion::Reduce>(nest_.group->statements[static_cast<std::size_t>(statement)].body))
    return scalars_.result(statement, tile_.columns ? v_ : "");
  return scalars_.expression(statement, place(spot));
}

std::vector<int> CudaPhases::row_stores(int phase) const {
  const std::vector<int>& inner = work_[static_cast<std::size_t>(phase)].stores;
  std::vector<int> stores;
  for (std::size_t s = 0; s < nest_.group->stores.size(); ++s) {
    const int statement = nest_.group->stores[s].statement.index;
    if (nest_.steps[static_cast<std::size_t>(statement)].phase != phase) continue;
    if (std::find(inner.begin(), inner.end(), static_cast<int>(s)) == inner.end())
      stores.push_back(static_cast<int>(s));
  }
  return stores;
}

void CudaPhases::print_row_stores(int phase) {
  if (tile_.columns && tile_.vector > 1) return print_column_stores(phase);
  const std::string first = tile_.threads_per_row > 1 ? "t == 0" : "";
  for (const int s : row_stores(phase)) {
    const fusion::Store& store = nest_.group->stores[static_cast<std::size_t>(s)];
    const std::string stored =
        scalars_.stored(store.access, store.statement.index, value(store.statement.index, Spot::row));
    text_.line(if_any(both(row_is_live_, first)), scalars_.pointer(store.access), "[0] = ", stored, ';');
  }
}

void CudaPhases::declare_states(const PhaseWork& work) {
  const std::string v = tile_.columns && tile_.vector > 1 ? join('[', tile_.vector, ']') : "";
  for (const int reduction : work.reductions)
    text_.line(scalars_.state_type(reduction), ' ', scalars_.state(reduction), v, ';');
}

void CudaPhases::declare_kept(const PhaseWork& work, int phase) {
  const std::string k = k_.empty() ? "" : join('[', tile_.vectors_per_thread, ']');
  const std::string v = v_.empty() ? "" : join('[', tile_.vector, ']');
  for (const int i : work.statements) {
    if (!keeps(i, phase)) continue;
    if (!is_load(i)) text_.line(scalars_.type(i), ' ', scalars_.name(i), k, v, ';');
    if (tile_.ends == Ends::shifted) text_.line(scalars_.type(i), ' ', scalars_.name(i), "_edge;");
  }
}

void CudaPhases::print_reduction(const PhaseWork& work) {
  if (work.reductions.empty() || tile_.threads_per_row == 1) return;
  if (tile_.columns) return print_column_reduction(work);
  std::string states;
  for (const int reduction : work.reductions) states += join(states.empty() ? "" : ", ", scalars_.state(reduction));
  if (tile_.threads_per_row <= 32) {
    text_.line("lane_reduce<", tile_.threads_per_row, ">(", states, ");");
    return;
  }
  text_.line("block_reduce<", tile_.threads, ">(scratch[", block_reductions_++ % 2, "], ", states, ");");
}

// ---- Pieces

std::string_view CudaPhases::inside() const {
  if (!has_partial_vectors() || tile_.vector == 1) return "";
  return tile_.columns ? "row + v < rows" : "j + v < n";
}

std::string CudaPhases::limit() const {
  if (is_partial()) return "end";
  return tile_.ends == Ends::shifted ? "body_end" : "n";
}

bool CudaPhases::is_load(int statement) const {
  return std::holds_alternative<fusion::Load>(nest_.group->statements[static_cast<std::size_t>(statement)].body);
}

int CudaPhases::access_of(int statement) const {
  return std::get<fusion::Load>(nest_.group->statements[static_cast<std::size_t>(statement)].body).access;
}

std::string_view CudaPhases::memory(int access) const {
  return memory_type(nest_.group->accesses[static_cast<std::size_t>(access)].dtype);
}

bool CudaPhases::keeps(int statement, int phase) const {
  const auto i = static_cast<std::size_t>(statement);
  return kept_.keep[i] && kept_.first_phase[i] == phase;
}

/// Loads of all of a thread's vectors are issued together at the start, in loops, and for what is kept; others when
/// they are used, since they would only hold registers.
bool CudaPhases::is_batched(int statement, int phase) const {
  return tile_.vectors_per_thread > 1 && (tile_.looped || phase == 0 || keeps(statement, phase));
}

Place CudaPhases::place(Spot spot) {
  return {[this, spot](int statement) { return value(statement, spot); },
          [this, spot](int axis) { return indices_.axis_index(axis, spot); }};
}

std::string CudaPhases::value(int statement, Spot spot) const {
  const auto i = static_cast<std::size_t>(statement);
  const std::string& name = scalars_.name(statement);
  if (!nest_.steps[i].inner) return tile_.columns ? name + v_ : name;
  if (!kept_.keep[i] || kept_.first_phase[i] < 0) return name;
  if (spot == Spot::edge) return name + "_edge";
  return is_load(statement) ? name : join(name, k_, v_);
}

bool CudaPhases::open_vectors() {
  if (tile_.vectors_per_thread > 1) {
    text_.line("#pragma unroll");
    text_.open("for (int k = 0; k < ", tile_.vectors_per_thread, "; ++k)");
    const int step = tile_.threads_along() * tile_.inner_vector();
    text_.line("const ", indices_.type(), " j = first + k", step > 1 ? join(" * ", step) : "", ';');
  }
  const bool masked = tile_.ends != Ends::exact && !(tile_.looped && tile_.vectors_per_thread == 1);
  if (masked) text_.open("if (j < ", limit(), ')');
  return masked;
}

void CudaPhases::close_vectors(bool masked) {
  if (masked) text_.close();
  if (tile_.vectors_per_thread > 1) text_.close();
}

Kernel print_cuda(const LoopNest& nest, const Tile& tile, const Part& part, const Kept& kept, std::string name,
                  std::string_view schedule) {
  Arguments arguments;
  const std::string body = CudaPhases(nest, tile, part, kept, arguments).print();
  return kernel_from_body(body, arguments, tile, std::move(name), schedule);
}

}  // namespace torchweld::codegen
