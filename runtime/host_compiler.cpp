#include "runtime/host_compiler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "runtime/files.h"

extern char** environ;

namespace torchweld::runtime {
namespace {

// Reassociation, contraction and flushing stay off; errno and trapping do not change a result.
constexpr std::array kOptions{"-std=c++17",
                              "-O2",
                              "-ftree-vectorize",
                              "-march=native",
                              "-fPIC",
                              "-shared",
                              "-ffp-contract=off",
                              "-fno-math-errno",
                              "-fno-trapping-math",
                              "-fvisibility=default",
                              "-w"};
/// Messages beyond this are cut: one mistake in a prelude repeats for every kernel.
constexpr std::size_t kMaxMessageBytes = 4000;

/// A folder of our own for one compiler call. It goes away with the object, and so do its three files.
class TemporaryFolder {
public:
  TemporaryFolder() : path_(temporary_folder() + "/torchweld-XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr)
      throw CompileFailure(FallbackReason::compile_failed,
                           fmt::format("no temporary folder {}: {}", path_, std::strerror(errno)));
  }
  ~TemporaryFolder() {
    for (const auto& file : {source(), object(), messages()}) unlink(file.c_str());
    rmdir(path_.c_str());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string source() const { return path_ + "/kernels.cpp"; }
  [[nodiscard]] std::string object() const { return path_ + "/kernels.so"; }
  [[nodiscard]] std::string messages() const { return path_ + "/messages"; }

private:
  std::string path_;
};

bool is_executable(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

/// The path of `program`, looked up in $PATH unless it names a folder; empty when there is none.
std::string find_program(const std::string& program) {
  if (program.empty()) return {};
  if (program.find('/') != std::string::npos) return is_executable(program) ? program : std::string{};
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (auto candidate = (folder.empty() ? "." : folder) + "/" + program; is_executable(candidate)) return candidate;
  return {};
}

/// Runs a program with its messages in `log`; true when it ends with 0. No shell: arguments are taken as they are.
bool run(const std::vector<std::string>& arguments, const std::string& log) {
  std::vector<char*> argv;
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    std::ofstream(log) << std::strerror(error);
    return false;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Each kernel in a namespace of its own, so that what one declares beside its entry point does not meet another's.
std::string text_of(std::span<const KernelSource> sources) {
  std::string text(codegen::prelude(codegen::Backend::host));
  for (std::size_t i = 0; i < sources.size(); ++i)
    text += fmt::format("\nnamespace kernel_{} {{\n{}\n}}\n", i, sources[i].text);
  return text;
}

/// Lines of /proc/cpuinfo that say which instructions the processor has.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string found;
  for (std::string line; std::getline(file, line) && !(line.empty() && !found.empty());)
    if (line.starts_with("flags") || line.starts_with("Features") || line.starts_with("model")) found += line;
  return fmt::format("{:016x}", XXH3_64bits(found.data(), found.size()));
}

}  // namespace

std::string find_host_compiler() {
  if (const char* chosen = std::getenv("TORCHWELD_CXX")) return find_program(chosen);
  const char* cxx = std::getenv("CXX");
  for (const auto* name : {cxx != nullptr ? cxx : "", "c++", "g++", "clang++"})
    if (auto path = find_program(name); !path.empty()) return path;
  return {};
}

const std::string& host_target() {
  static const auto kTarget = fmt::format("{} {}", processor(), fmt::join(kOptions, " "));
  return kTarget;
}

std::vector<CompiledKernel> compile_shared_object(std::span<const KernelSource> sources) {
  const auto compiler = find_host_compiler();
  if (compiler.empty())
    throw CompileFailure(FallbackReason::no_compiler,
                         "no C++ compiler: none of $TORCHWELD_CXX, $CXX, c++, g++ and clang++ was found; install one "
                         "(g++), or set TORCHWELD_CXX");
  const auto begin = std::chrono::steady_clock::now();
  const TemporaryFolder folder;
  std::ofstream(folder.source()) << text_of(sources);
  std::vector<std::string> arguments{compiler};
  arguments.insert(arguments.end(), kOptions.begin(), kOptions.end());
  arguments.insert(arguments.end(), {"-o", folder.object(), folder.source()});
  if (!run(arguments, folder.messages()))
    throw CompileFailure(FallbackReason::compile_failed,
                         fmt::format("{}: {} failed:\n{}", sources.front().name, compiler,
                                     read_file(folder.messages()).substr(0, kMaxMessageBytes)));
  const auto binary = read_file(folder.object());
  const auto ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  std::vector<CompiledKernel> compiled;
  for (const auto& source : sources) compiled.push_back({source.name, binary, {}, ms});
  return compiled;
}

}  // namespace torchweld::runtime
