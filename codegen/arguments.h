#pragma once

#include <string>
#include <vector>

#include "codegen/kernel.h"

namespace torchweld::codegen {

/// The parameters of a kernel, in the order of their first use. Each call returns the parameter's name.
class Arguments {
public:
  struct Parameter {
    std::string type;  ///< "const float*", "unsigned", "Divisor"
    std::string name;
  };

  std::string pointer(const fusion::Access& access, std::string name, bool written);
  /// Partial results of a state type; `written` by this kernel.
  std::string partial(std::string_view state, std::string name, std::int64_t byte_offset, bool written);
  /// Four bytes, unsigned, or eight, signed. The same name is declared once.
  std::string integer(std::string name, std::int64_t value, int bytes);
  std::string divisor(std::string name, std::int64_t value, bool wide);
  /// A number of the program as a register of dtype `compute`; the next of c0, c1, ... Values may be equal: whether
  /// they are must not change the text.
  std::string number(const fusion::Number& number, graph::DType compute);

  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  [[nodiscard]] std::vector<Argument> take() { return std::move(arguments_); }

private:
  bool declare(std::string_view type, const std::string& name, Argument argument);

  std::vector<Parameter> parameters_;
  std::vector<Argument> arguments_;
  int numbers_ = 0;
};

}  // namespace torchweld::codegen
