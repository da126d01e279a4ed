#pragma once

#include <map>
#include <optional>
#include <string>

#include "cli/model_call.h"

/// One function per subcommand; each returns the exit code and throws Error for bad input.
namespace torchweld::cli {

struct RunOptions {
  CallOptions call;
  std::map<std::string, std::string> optimize;  ///< options of the optimizer by name
  int iterations = 10;
  bool check = false;
  std::optional<double> tolerance;
};
/// Runs an optimized copy of the model and prints times; with `check`, compares every call with TorchScript: 1 when one
/// differs by more than allowed.
int run_model(const RunOptions& options);

struct ReportOptions {
  CallOptions call;
  std::map<std::string, std::string> optimize;
  std::string format = "text";
};
/// Runs an optimized copy of the model once and prints what was fused, what was not and why.
int report_model(const ReportOptions& options);

struct KernelsOptions {
  CallOptions call;
  std::map<std::string, std::string> optimize;
  std::string emit;    ///< "cuda", "cpp", "ptx", "sass", "cubin", or empty for the text of the device's own
  std::string output;  ///< folder of a file for each kernel; empty to print them
};
/// Prints every kernel that a call of the model uses.
int print_kernels(const KernelsOptions& options);

struct CacheOptions {
  std::string folder;  ///< as the option cache_dir
};
/// Prints the compiled kernels that are kept on disk, with their sizes and ages.
int list_cache(const CacheOptions& options);
/// Removes them and says how many there were.
int clear_cache(const CacheOptions& options);

}  // namespace torchweld::cli
