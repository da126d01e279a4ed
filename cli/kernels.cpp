#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "report/kernel_texts.h"
#include "runtime/files.h"
#include "runtime/nvrtc.h"
#include "runtime/toolkit.h"
#include "torchweld/torchweld.h"

namespace torchweld::cli {
namespace {

using report::KernelText;

/// What is printed of a kernel.
std::string emitted(const KernelText& kernel, const std::string& emit, const std::string& arch) {
  if (emit == "cubin") return kernel.cubin;
  if (emit == "sass") return runtime::disassemble(kernel.cubin);
  if (emit == "ptx") return runtime::compile_ptx({codegen::Backend::cuda, kernel.name, kernel.text, arch});
  return kernel.text;
}

std::string heading_of(const KernelText& kernel) {
  std::string heading = fmt::format("// {}, in {}: {}", kernel.name, kernel.region, kernel.schedule);
  if (kernel.resources)
    heading +=
        fmt::format("\n// {} registers, {} bytes of shared memory, {} bytes spilled", kernel.resources->registers,
                    kernel.resources->shared_bytes, kernel.resources->spilled_bytes);
  return heading;
}

/// "relu.ptx", and "relu_2.ptx" for the second kernel of that name.
std::string file_name(const KernelText& kernel, const std::string& extension, std::map<std::string, int>& seen) {
  const int count = ++seen[kernel.name];
  return count == 1 ? fmt::format("{}.{}", kernel.name, extension)
                    : fmt::format("{}_{}.{}", kernel.name, count, extension);
}

std::string extension_of(const KernelsOptions& options) {
  if (options.emit == "cuda") return "cu";
  if (!options.emit.empty()) return options.emit;
  return options.call.device == "cuda" ? "cu" : "cpp";
}

void write_files(const KernelsOptions& options, const std::vector<KernelText>& kernels, const std::string& arch) {
  if (const std::string problem = runtime::make_folders(options.output); !problem.empty())
    throw Error(fmt::format("--output {}: cannot be made: {}", options.output, problem));
  const std::string extension = extension_of(options);
  std::map<std::string, int> seen;
  for (const KernelText& kernel : kernels) {
    const std::string path = options.output + "/" + file_name(kernel, extension, seen);
    std::ofstream file(path, std::ios::binary);
    file << emitted(kernel, options.emit, arch);
    if (!file.flush()) throw Error(fmt::format("--output {}: {} cannot be written", options.output, path));
    fmt::print("{}\n", path);
  }
}

void print_all(const KernelsOptions& options, const std::vector<KernelText>& kernels, const std::string& arch) {
  if (options.emit == "cubin" && (kernels.size() != 1 || isatty(STDOUT_FILENO) == 1))
    throw Error(
        fmt::format("--emit cubin: {} kernel{} cannot be printed as binary files here, expected --output FOLDER",
                    kernels.size(), kernels.size() == 1 ? "" : "s"));
  for (const KernelText& kernel : kernels) {
    const std::string text = emitted(kernel, options.emit, arch);
    if (options.emit != "cubin") fmt::print("{}\n", heading_of(kernel));
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (options.emit != "cubin") fmt::print("\n");
  }
}

}  // namespace

int print_kernels(const KernelsOptions& options) {
  const Options optimizer = options_from_strings(options.optimize);
  const bool host = options.emit.empty() || options.emit == "cpp";
  const std::string arch = optimizer.arch.empty() ? "sm_90" : optimizer.arch;
  if (options.emit == "sass") runtime::require_disassembler();
  ModelCall request = load_call(options.call);
  auto [fused, outcome] = optimize_with_outcome(request.module, optimizer);
  first_call(request, fused);

  const auto regions = report::regions_of(fused, &outcome, request.method, {});
  const auto kernels = report::kernel_texts(regions, host ? options.emit : arch);
  if (options.output.empty())
    print_all(options, kernels, arch);
  else
    write_files(options, kernels, arch);
  return 0;
}

}  // namespace torchweld::cli
