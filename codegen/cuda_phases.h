#pragma once

#include <string>
#include <vector>

#include "codegen/cuda_indices.h"
#include "codegen/keep.h"
#include "codegen/scalars.h"

namespace torchweld::codegen {

/// Which part of a reduction a kernel does when blocks share the inner part of a row. The partial results of a row are
/// neighbours, one for each split, and are merged in that order: two runs give the same bits.
struct Part {
  enum class Kind : std::uint8_t { whole, partial, combined } kind = Kind::whole;
  std::int64_t splits = 1;
  std::int64_t chunk = 0;  ///< inner indices of a split
};

/// Bytes of the partial results of a nest.
[[nodiscard]] std::int64_t partial_bytes(const LoopNest& nest, const Part& part);

/// Per access of the group, whether a part has it: only what is partial walks the inner part, and it leaves the stores
/// of results to the other.
[[nodiscard]] std::vector<bool> used_accesses(const LoopNest& nest, const Part& part,
                                              const std::vector<PhaseWork>& work);

/// Prints the body of a CUDA kernel: one phase after the other, for any tile. Schedules choose the tile and what is
/// kept; this is the one emitter they share.
class CudaPhases {
public:
  CudaPhases(const LoopNest& nest, const Tile& tile, const Part& part, Kept kept, Arguments& arguments);
  [[nodiscard]] std::string print();

private:
  // Beginning.
  void print_row();
  void declare_scratch();
  void print_tile();
  void print_shift();
  // One phase.
  void print_phase(int phase);
  void print_row_values(int phase);
  void declare_states(const PhaseWork& work);
  void declare_kept(const PhaseWork& work, int phase);
  void print_vectors(const PhaseWork& work, int phase);
  void print_loads(const std::vector<int>& loads, bool indexed);
  void print_element_loads(const std::vector<int>& loads, bool indexed);
  void print_values(const PhaseWork& work, int phase, const std::vector<int>& later_loads);
  void print_elements(const PhaseWork& work, int phase);
  void print_stores(const PhaseWork& work);
  void print_edge(const PhaseWork& work, int phase);
  void print_reduction(const PhaseWork& work);
  void print_row_stores(int phase);
  // The same for V rows a thread (cuda_columns.cpp).
  void print_column_values(int phase);
  void print_column_loads(const std::vector<int>& statements);
  void print_column_stores(int phase);
  void print_column_reduction(const PhaseWork& work);
  // A reduction split over blocks (cuda_partial.cpp).
  void print_block();
  void print_chunk();
  void print_partial_stores();
  void print_combination();
  std::vector<std::string> declare_partials(bool written);
  [[nodiscard]] bool is_partial() const { return part_.kind == Part::Kind::partial; }
  // Pieces.
  bool open_vectors();
  void close_vectors(bool masked);
  [[nodiscard]] Place place(Spot spot);
  [[nodiscard]] std::string value(int statement, Spot spot) const;
  [[nodiscard]] std::string row_value(int statement, Spot spot);
  [[nodiscard]] std::vector<int> row_stores(int phase) const;
  [[nodiscard]] std::string stored_vector(int access);
  [[nodiscard]] std::string at(const std::string& pointer, int access);
  [[nodiscard]] std::string raw(int access, bool indexed, bool at_element) const;
  [[nodiscard]] std::string limit() const;
  [[nodiscard]] bool has_partial_vectors() const {
    return tile_.columns ? tile_.ragged_rows : tile_.ends == Ends::ragged;
  }
  /// How many elements of a partial vector there are, and whether element v is one of them.
  [[nodiscard]] std::string_view rest() const { return tile_.columns ? "rows - row" : "n - j"; }
  [[nodiscard]] std::string_view inside() const;
  [[nodiscard]] bool is_load(int statement) const;
  [[nodiscard]] int access_of(int statement) const;
  [[nodiscard]] const AccessShape& shape(int access) const { return tile_.accesses[static_cast<std::size_t>(access)]; }
  [[nodiscard]] std::string_view memory(int access) const;
  [[nodiscard]] bool keeps(int statement, int phase) const;  ///< kept, and not computed before this phase
  [[nodiscard]] bool needs_loop_indices(int access) const;
  [[nodiscard]] bool needs_loop_indices(const PhaseWork& work, const std::vector<int>& loads) const;
  [[nodiscard]] bool is_batched(int statement, int phase) const;

  const LoopNest& nest_;
  const Tile& tile_;
  const Part& part_;
  Kept kept_;
  std::vector<PhaseWork> work_;
  Arguments& arguments_;
  std::vector<bool> used_;  ///< accesses that this part of the group has
  Scalars scalars_;
  CudaIndices indices_;
  Text text_{1};
  std::string k_, v_;         ///< subscripts of a thread's vectors and of their elements
  std::string row_is_live_;   ///< condition of a row that exists; empty when all do
  int block_reductions_ = 0;  ///< printed so far: they alternate between two scratch buffers
};

/// Prints a kernel: header comment, signature, body.
[[nodiscard]] Kernel print_cuda(const LoopNest& nest, const Tile& tile, const Part& part, const Kept& kept,
                                std::string name, std::string_view schedule);

}  // namespace torchweld::codegen
