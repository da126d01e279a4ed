#pragma once

#include <string>
#include <vector>

#include "codegen/cuda_indices.h"
#include "codegen/expression.h"
#include "codegen/scalars.h"

namespace torchweld::codegen {

/// Prints the body of such a kernel. Names: j_0 and j_1 are the indices of the two loops, at_0 and at_1 those where the
/// square begins; lane x walks j_1, or j_0 where an operand is turned, and y the other one in steps of a warp.
class CudaSquares {
public:
  CudaSquares(const LoopNest& nest, const Tile& tile, Arguments& arguments);
  [[nodiscard]] std::string print();

private:
  void print_square();
  void print_uniform_values();
  void print_loads(bool turned);
  void print_turned_loads_to_shared();
  void print_values();
  void print_value(int statement);
  void print_store(const fusion::Store& store);
  void print_direct_stores();
  void print_turned_stores();

  void open_square(bool turned);
  void close_square();
  void open_vector();
  void close_vector();
  [[nodiscard]] std::vector<int> loads(bool turned) const;
  [[nodiscard]] std::vector<int> stores(bool turned) const;
  [[nodiscard]] Place place(Spot spot);
  [[nodiscard]] std::string value(int statement) const { return scalars_.name(statement); }
  [[nodiscard]] const AccessShape& shape(int access) const { return tile_.accesses[static_cast<std::size_t>(access)]; }
  [[nodiscard]] bool is_vector(int access) const;
  [[nodiscard]] const fusion::Access& at(int access) const {
    return nest_.group->accesses[static_cast<std::size_t>(access)];
  }
  [[nodiscard]] std::string_view memory(int access) const { return memory_type(at(access).dtype); }
  [[nodiscard]] std::string memory_vector(int access) const;
  [[nodiscard]] std::string square(int access) const { return scalars_.pointer(access) + "_square"; }
  [[nodiscard]] std::string pointer_at(int access);
  [[nodiscard]] std::string element(int access);
  [[nodiscard]] std::string as_register(int access, const std::string& memory) const;

  const LoopNest& nest_;
  const Tile& tile_;
  Arguments& arguments_;
  Scalars scalars_;
  CudaIndices indices_;
  std::string x_, y_;  ///< of a thread within the square: along its lanes, and along its warps
  Text text_{1};
};

/// Prints a kernel without reductions whose operands disagree about which loop is contiguous: blocks take squares of
/// the two loops, and operands of the other loop pass through shared memory, so that all are accessed in whole lines.
[[nodiscard]] Kernel print_squares(const LoopNest& nest, const Tile& tile, std::string name, std::string_view schedule);

}  // namespace torchweld::codegen
