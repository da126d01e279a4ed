#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchweld::runtime {

// Files by POSIX calls: libtorch.so exports its own copy of std::filesystem's functions, some of which crash, and the
// linker prefers it to the standard library's.

/// $TMPDIR, else /tmp.
[[nodiscard]] std::string temporary_folder();
/// All bytes of a file; empty when it cannot be read.
[[nodiscard]] std::string read_file(const std::string& path);
/// The names of what a folder holds, sorted; none when it cannot be read.
[[nodiscard]] std::vector<std::string> names_in_folder(const std::string& path);
[[nodiscard]] bool is_folder(const std::string& path);
/// Makes a folder and those above it, where they are missing. What failed, or nothing.
[[nodiscard]] std::string make_folders(const std::string& path);
/// Writes a file beside `path` and renames it to `path`, so that it appears whole or not at all. What failed, or
/// nothing.
[[nodiscard]] std::string replace_file(const std::string& path, std::string_view bytes);

}  // namespace torchweld::runtime
