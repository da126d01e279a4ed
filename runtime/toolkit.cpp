#include "runtime/toolkit.h"

#include <c10/core/DefaultDtype.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <vector>

#include "runtime/compiled_kernel.h"
#include "runtime/files.h"
#include "runtime/process.h"
#include "runtime/temporary_folder.h"

namespace torchweld::runtime {
namespace {

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

/// Folders of CUDA programs, as prefixes of their names; the empty one stands for $PATH.
std::vector<std::string> program_folders() {
  std::vector<std::string> folders{""};
  if (const char* home = std::getenv("CUDA_HOME"); home != nullptr && *home != 0)
    folders.push_back(std::string(home) + "/bin/");
  folders.emplace_back("/usr/local/cuda/bin/");
  folders.push_back(folder_of_packages() + "/nvidia/cu13/bin/");
  return folders;
}

/// A command that lacks the name of a cubin: of the first place that has one.
std::vector<std::string> disassembler() {
  for (const auto& folder : program_folders()) {
    if (auto program = find_program(folder + "nvdisasm"); !program.empty()) return {program, "-c"};
    if (auto program = find_program(folder + "cuobjdump"); !program.empty()) return {program, "-sass"};
  }
  throw CompileFailure(FallbackReason::no_compiler,
                       "no nvdisasm and no cuobjdump in $PATH, $CUDA_HOME/bin, /usr/local/cuda/bin or beside "
                       "LibTorch: install a CUDA toolkit, or take --emit ptx");
}

}  // namespace

std::string folder_of_packages() {
  Dl_info library;
  if (dladdr(reinterpret_cast<const void*>(&c10::get_default_dtype), &library) == 0) return {};
  return folder_of(folder_of(folder_of(library.dli_fname)));  // without /torch/lib/libc10.so
}

void require_disassembler() { (void)disassembler(); }

std::string disassemble(const std::string& cubin) {
  auto command = disassembler();
  const TemporaryFolder folder;
  std::ofstream(folder.file("kernel.cubin"), std::ios::binary) << cubin;
  command.push_back(folder.file("kernel.cubin"));
  const bool done = run_program(command, folder.file("output"));
  auto output = read_file(folder.file("output"));
  if (!done)
    throw CompileFailure(FallbackReason::compile_failed, fmt::format("{} failed: {}", command.front(), output));
  return output;
}

}  // namespace torchweld::runtime
