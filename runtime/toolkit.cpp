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

/// A command that lacks the name of a cubin.
std::vector<std::string> disassembler() {
  if (auto program = find_cuda_program("nvdisasm"); !program.empty()) return {program, "-c"};
  if (auto program = find_cuda_program("cuobjdump"); !program.empty()) return {program, "-sass"};
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

std::string find_cuda_program(const std::string& program) {
  if (auto found = find_program(program); !found.empty()) return found;
  const char* home = std::getenv("CUDA_HOME");
  for (const auto& folder : {std::string(home != nullptr ? home : ""), std::string("/usr/local/cuda"),
                             folder_of_packages() + "/nvidia/cu13"})
    if (auto found = find_program(fmt::format("{}/bin/{}", folder, program)); !folder.empty() && !found.empty())
      return found;
  return {};
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
