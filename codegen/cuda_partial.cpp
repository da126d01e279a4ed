// What CudaPhases prints for a reduction that blocks share: a kernel of partial results, and one that combines them.
#include <algorithm>

#include "codegen/conditions.h"
#include "codegen/cuda_phases.h"

namespace torchweld::codegen {
namespace {

/// Of the partial results of the first `reductions` reductions.
std::int64_t bytes_of_partials(const LoopNest& nest, const Part& part, const std::vector<int>& reductions,
                               std::size_t count) {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    bytes += std::int64_t{4} * state_words(nest, reductions[i]) * nest.num_rows() * part.splits;
    bytes = (bytes + graph::kVectorBytes - 1) / graph::kVectorBytes * graph::kVectorBytes;
  }
  return bytes;
}

}  // namespace

std::int64_t partial_bytes(const LoopNest& nest, const Part& part) {
  Kept nothing = keep_nothing(nest);
  const std::vector<int> reductions = work_of_phases(nest, nothing).front().reductions;
  return bytes_of_partials(nest, part, reductions, reductions.size());
}

std::vector<bool> used_accesses(const LoopNest& nest, const Part& part, const std::vector<PhaseWork>& work) {
  const fusion::Group& group = *nest.group;
  std::vector<bool> used(group.accesses.size(), part.kind == Part::Kind::whole);
  if (part.kind == Part::Kind::whole) return used;
  const bool walks = part.kind == Part::Kind::partial;
  for (std::size_t i = 0; i < group.statements.size(); ++i)
    if (const auto* load = std::get_if<fusion::Load>(&group.statements[i].body))
      if (walks || !nest.steps[i].inner) used[static_cast<std::size_t>(load->access)] = true;
  const std::vector<int>& walked = work.front().stores;
  for (std::size_t s = 0; s < group.stores.size(); ++s)
    if (walks == (std::find(walked.begin(), walked.end(), static_cast<int>(s)) != walked.end()))
      used[static_cast<std::size_t>(group.stores[s].access)] = true;
  return used;
}

void CudaPhases::print_block() {
  const std::string splits = arguments_.divisor("splits", part_.splits, false);
  text_.line("const unsigned block = quotient(blockIdx.x, ", splits, "), split = blockIdx.x - block * extent(", splits,
             ");");
}

void CudaPhases::print_chunk() {
  const std::string chunk = arguments_.integer("chunk", part_.chunk, tile_.wide ? 8 : 4);
  const std::string last = tile_.ends == Ends::shifted ? "body_end" : "n";
  text_.line("const ", indices_.type(), " begin = ", tile_.ends == Ends::shifted ? "head + " : "", "split * ", chunk,
             ", end = begin + ", chunk, " < ", last, " ? begin + ", chunk, " : ", last, ';');
}

/// The names of the pointers to the partial results, one for each reduction.
std::vector<std::string> CudaPhases::declare_partials(bool written) {
  const std::vector<int>& reductions = work_.front().reductions;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < reductions.size(); ++i)
    names.push_back(arguments_.partial(scalars_.state_type(reductions[i]), scalars_.name(reductions[i]) + "_partial",
                                       bytes_of_partials(nest_, part_, reductions, i), written));
  return names;
}

void CudaPhases::print_partial_stores() {
  const std::vector<std::string> partials = declare_partials(true);
  const bool across = tile_.columns && tile_.vector > 1;
  const std::string index = join(across ? "(row + v)" : "row", " * extent(splits) + split");
  const std::string first = tile_.threads_per_row > 1 ? "t == 0" : "";
  text_.open("if (", both(row_is_live_, first), ')');
  if (across) {
    text_.line("#pragma unroll");
    text_.open("for (int v = 0; v < ", tile_.vector, "; ++v)");
  }
  for (std::size_t i = 0; i < partials.size(); ++i)
    text_.line(if_any(std::string(inside())), partials[i], '[', index,
               "] = ", scalars_.state(work_.front().reductions[i]), across ? "[v]" : "", ';');
  if (across) text_.close();
  text_.close();
}

void CudaPhases::print_combination() {
  const std::vector<int>& reductions = work_.front().reductions;
  const std::string splits = arguments_.integer("splits", part_.splits, 4);
  const std::vector<std::string> partials = declare_partials(false);
  declare_states(work_.front());
  text_.open("for (unsigned j = ", tile_.threads_per_row > 1 ? "t" : "0", "; j < ", splits,
             "; j += ", tile_.threads_per_row, ')');
  for (std::size_t i = 0; i < partials.size(); ++i)
    text_.line(scalars_.state(reductions[i]), ".merge(", partials[i], "[row * ", splits, " + j]);");
  text_.close();
  print_reduction(work_.front());
}

}  // namespace torchweld::codegen
