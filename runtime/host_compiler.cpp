#include "runtime/host_compiler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "runtime/files.h"
#include "runtime/process.h"
#include "runtime/temporary_folder.h"

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
  std::ofstream(folder.file("kernels.cpp")) << text_of(sources);
  std::vector<std::string> arguments{compiler};
  arguments.insert(arguments.end(), kOptions.begin(), kOptions.end());
  arguments.insert(arguments.end(), {"-o", folder.file("kernels.so"), folder.file("kernels.cpp")});
  if (!run_program(arguments, folder.file("messages")))
    throw CompileFailure(FallbackReason::compile_failed,
                         fmt::format("{}: {} failed:\n{}", sources.front().name, compiler,
                                     read_file(folder.file("messages")).substr(0, kMaxMessageBytes)));
  const auto binary = read_file(folder.file("kernels.so"));
  const auto ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  std::vector<CompiledKernel> compiled;
  for (const auto& source : sources) compiled.push_back({source.name, binary, {}, ms});
  return compiled;
}

}  // namespace torchweld::runtime
