#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace torchweld::emulation {

struct Outcome {
  int status = 0;      ///< exit status; 128 + signal if killed by one
  std::string output;  ///< what it wrote to stdout and stderr
};

/// Runs a program found on PATH with an argument vector and waits for it.
Outcome run_process(const std::vector<std::string>& command);

/// A folder of this process for temporary files, removed with all files when it ends.
const std::filesystem::path& scratch_folder();
/// A new file name in it.
std::filesystem::path scratch_file(const std::string& ending);

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& content);

}  // namespace torchweld::emulation
