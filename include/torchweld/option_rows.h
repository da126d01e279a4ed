#pragma once

#include <span>
#include <string>
#include <string_view>

namespace torchweld {

/// An option as people read of it: what help texts and docs/options.md say.
struct OptionRow {
  std::string_view name;           ///< in C++ and Python
  std::string_view flag;           ///< on the command line
  std::string_view values;         ///< "fp32, eager"
  std::string_view default_value;  ///< as options_from_strings takes it
  std::string_view meaning;
};

/// One row for each member of Options, sorted by name.
[[nodiscard]] std::span<const OptionRow> option_rows();

}  // namespace torchweld
