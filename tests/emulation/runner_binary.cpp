#include "emulation/runner_binary.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL  // header-only
#endif
#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulation/emulation.h"
#include "emulation/process.h"

namespace torchweld::emulation {
namespace {

namespace fs = std::filesystem;

// Held while the runner is built, so that of many test processes one builds it.
class FolderLock {
public:
  explicit FolderLock(const fs::path& folder)
      : file_(open((folder / "lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600)) {
    if (file_ >= 0) flock(file_, LOCK_EX);
  }
  ~FolderLock() {
    if (file_ >= 0) close(file_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

private:
  int file_;
};

// The cache folder, or this process's own where there is none to write to.
fs::path cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (cache == nullptr && home == nullptr) return scratch_folder();
  const fs::path folder = (cache != nullptr ? fs::path(cache) : fs::path(home) / ".cache") / "torchweld" / "emulation";
  std::error_code error;
  fs::create_directories(folder, error);
  return error || access(folder.c_str(), W_OK) != 0 ? scratch_folder() : folder;
}

std::string hash_of_sources() {
  std::vector<fs::path> files{source_folder() / "wire.h"};
  for (const auto& entry : fs::directory_iterator(source_folder() / "device")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::string all = TORCHWELD_CXX;
  for (const fs::path& file : files) all += read_file(file);
  char name[20];
  std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(XXH3_64bits(all.data(), all.size())));
  return name;
}

void must_succeed(const std::vector<std::string>& command) {
  const Outcome outcome = run_process(command);
  if (outcome.status != 0) throw std::runtime_error("cannot build the emulator:\n" + outcome.output);
}

// The runner's own code is not sanitized; it links the run-time libraries for the kernels that it loads.
void build_runner(const fs::path& target) {
  const std::string object = scratch_file(".o").string(), built = target.string() + ".new";
  must_succeed({TORCHWELD_CXX, "-std=c++20", "-O1", "-g1", "-fno-omit-frame-pointer", "-c",
                (source_folder() / "device" / "all.cc").string(), "-o", object});
  must_succeed({TORCHWELD_CXX, "-fsanitize=address,undefined", "-rdynamic", object, "-ldl", "-o", built});
  fs::rename(built, target);
}

}  // namespace

std::filesystem::path source_folder() { return fs::path(TORCHWELD_SOURCE_DIR) / "tests" / "emulation"; }

const std::filesystem::path& runner_binary() {
  static const fs::path kPath = [] {
    const fs::path folder = cache_folder();
    const FolderLock lock(folder);
    fs::path runner = folder / ("runner-" + hash_of_sources());
    if (!fs::exists(runner)) {
      for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().filename().string().starts_with("runner-")) fs::remove(entry.path());
      build_runner(runner);
    }
    return runner;
  }();
  return kPath;
}

std::string why_unavailable() {
#ifndef __x86_64__
  return "the emulator's context switch is written for x86-64";
#endif
  if (!fs::exists(source_folder() / "device" / "all.cc"))
    return "no sources of the emulator in " + source_folder().string();
  try {
    if (run_process({TORCHWELD_CXX, "--version"}).status == 0) return "";
  } catch (const std::exception&) {
  }
  return std::string("no compiler ") + TORCHWELD_CXX;
}

}  // namespace torchweld::emulation
