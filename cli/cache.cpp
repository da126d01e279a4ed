#include <fmt/format.h>

#include <cstdint>
#include <ctime>
#include <span>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "report/report.h"
#include "runtime/cache_files.h"
#include "runtime/disk_cache.h"
#include "runtime/files.h"
#include "torchweld/error.h"

namespace torchweld::cli {
namespace {

using runtime::CacheFile;

/// The folder in use. One that was named must be there; the default appears with the first kernel.
std::string folder_from(const std::string& chosen) {
  if (!chosen.empty() && !runtime::is_folder(chosen))
    throw Error(fmt::format("--cache-dir {}: is no folder, expected one that holds compiled kernels", chosen));
  return runtime::cache_folder(chosen);
}

/// "4 min": the largest unit of which there is one at least.
std::string age_text(std::time_t seconds) {
  if (seconds < 60) return fmt::format("{} s", seconds < 0 ? 0 : seconds);
  if (seconds < 60 * 60) return fmt::format("{} min", seconds / 60);
  if (seconds < 24 * 60 * 60) return fmt::format("{} h", seconds / (60 * 60));
  return fmt::format("{} d", seconds / (24 * 60 * 60));
}

std::string size_text(std::uint64_t bytes) { return report::bytes_text(static_cast<std::int64_t>(bytes)); }

std::string total_text(std::span<const CacheFile> files) {
  std::uint64_t bytes = 0;
  for (const CacheFile& file : files) bytes += file.bytes;
  return fmt::format("{} kernel{}, {}", files.size(), files.size() == 1 ? "" : "s", size_text(bytes));
}

void print_file(const CacheFile& file, std::time_t now) {
  const bool cuda = file.kernel && file.kernel->resources.registers > 0;
  fmt::print("{:>7}  {:>9}  {:<4}  {}\n", age_text(now - file.written), size_text(file.bytes),
             !file.kernel ? "-"
             : cuda       ? "cuda"
                          : "host",
             file.kernel ? file.kernel->name : "damaged");
}

}  // namespace

int list_cache(const CacheOptions& options) {
  const std::string folder = folder_from(options.folder);
  const std::vector<CacheFile> files = runtime::cache_files(folder);
  fmt::print("{}\n", paint(Colour::bold, folder));
  fmt::print("{}\n", total_text(files));
  if (files.empty()) return 0;
  fmt::print("\n{:>7}  {:>9}  {:<4}  {}\n", "age", "size", "for", "kernel");
  const std::time_t now = std::time(nullptr);
  for (const CacheFile& file : files) print_file(file, now);
  return 0;
}

int clear_cache(const CacheOptions& options) {
  const std::string folder = folder_from(options.folder);
  const std::vector<CacheFile> files = runtime::cache_files(folder);
  std::vector<CacheFile> removed;
  std::string problem;
  for (const CacheFile& file : files) {
    const std::string reason = runtime::remove_cache_file(file);
    if (reason.empty())
      removed.push_back(file);
    else if (problem.empty())
      problem = fmt::format("{}: cannot be removed: {}", file.path, reason);
  }
  if (!problem.empty())
    throw Error(fmt::format("{}; {} of {} kernels are removed", problem, removed.size(), files.size()));
  fmt::print("removed {} from {}\n", total_text(removed), folder);
  return 0;
}

}  // namespace torchweld::cli
