#pragma once

#include <string>
#include <vector>

namespace torchweld::runtime {

/// The path of `program`, looked up in $PATH unless it names a folder; empty when there is none.
[[nodiscard]] std::string find_program(const std::string& program);

/// Runs a program with its output and its messages in the file `log`; true when it ends with 0. No shell: arguments are
/// taken as they are, the first is the program's path.
[[nodiscard]] bool run_program(const std::vector<std::string>& arguments, const std::string& log);

}  // namespace torchweld::runtime
