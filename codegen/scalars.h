#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/arguments.h"
#include "codegen/loop.h"

namespace torchweld::codegen {

/// How printed text refers to what depends on the place it stands in.
struct Place {
  std::function<std::string(int statement)> value;  ///< a statement's register
  std::function<std::string(int axis)> index;       ///< the index along an axis of the group
};

/// Size of a reduction's state in 4-byte words.
[[nodiscard]] int state_words(const LoopNest& nest, int reduction);

/// Prints the statements of a group as scalar C++, the same for every backend.
class Scalars {
public:
  /// `approximable`: statements that take the form for 16-bit results. `used`: accesses whose pointers become
  /// arguments.
  Scalars(const LoopNest& nest, Arguments& arguments, std::vector<bool> approximable, const std::vector<bool>& used);

  /// Name of a statement's value: "mul4"; "x0" for the value loaded through access 0.
  [[nodiscard]] const std::string& name(int statement) const { return names_[static_cast<std::size_t>(statement)]; }
  /// Name of an access's pointer: "in0", "out3".
  [[nodiscard]] const std::string& pointer(int access) const { return pointers_[static_cast<std::size_t>(access)]; }
  /// Register type of a statement's value.
  [[nodiscard]] std::string_view type(int statement) const;

  /// Right-hand side of a pointwise, position or choose statement.
  [[nodiscard]] std::string expression(int statement, const Place& place);
  /// Right-hand side of a load from `element` ("in0[j]"): as a register, and only where the access's guard allows.
  [[nodiscard]] std::string load(int access, const std::string& element, const Place& place);
  /// The condition of an access's guard; empty when it has none.
  [[nodiscard]] std::string guard(int access, const Place& place);
  /// `value` as the dtype that access `access` stores.
  [[nodiscard]] std::string stored(int access, int statement, const std::string& value) const;

  /// Type of a reduction's state ("Sum<float>"), the name of its variable and what is pushed for one index.
  [[nodiscard]] std::string state_type(int reduction) const;
  [[nodiscard]] std::string state(int reduction) const { return name(reduction) + "_state"; }
  [[nodiscard]] std::string pushed(int reduction, const Place& place, const std::string& flat_index) const;
  /// The result of a reduction, read from its state.
  /// `subscript`: of its state, where a thread has several.
  [[nodiscard]] std::string result(int reduction, std::string_view subscript = {}) const;
  [[nodiscard]] bool is_online(int reduction) const;
  [[nodiscard]] bool is_arg_reduction(int reduction) const;

private:
  [[nodiscard]] const fusion::Statement& at(int statement) const;
  [[nodiscard]] graph::DType dtype_of(const fusion::Input& input, graph::DType otherwise) const;
  std::string operand(int statement, const fusion::Input& input, std::size_t n, graph::DType as, const Place& place);
  std::string number(int statement, std::size_t n, const fusion::Number& value, graph::DType as);
  std::string pointwise(int statement, const fusion::Pointwise& body, const Place& place);
  std::string position(int statement, const fusion::Position& body, const Place& place);
  std::string choose(int statement, const fusion::Choose& body, const Place& place);

  const LoopNest& nest_;
  Arguments& arguments_;
  std::vector<bool> approximable_;
  std::vector<std::string> names_;
  std::vector<std::string> pointers_;
  std::vector<std::vector<std::string>> numbers_;  ///< per statement and operand: its argument, once it has one
};

}  // namespace torchweld::codegen
