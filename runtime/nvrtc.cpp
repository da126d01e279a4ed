#include "runtime/nvrtc.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nvrtc.h>

#include <array>
#include <charconv>
#include <chrono>
#include <mutex>
#include <vector>

#include "runtime/toolkit.h"

namespace torchweld::runtime {
namespace {

// No contraction: a fused multiply-add is written as such where it is wanted. The log names the resources used.
constexpr std::array kOptions{"--std=c++17",      "--fmad=false", "--prec-div=true",
                              "--prec-sqrt=true", "--ftz=false",  "--ptxas-options=-v"};

/// The functions of NVRTC that we call.
struct Nvrtc {
  decltype(&nvrtcCreateProgram) create = nullptr;
  decltype(&nvrtcCompileProgram) compile = nullptr;
  decltype(&nvrtcDestroyProgram) destroy = nullptr;
  decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  decltype(&nvrtcGetCUBINSize) cubin_size = nullptr;
  decltype(&nvrtcGetCUBIN) cubin = nullptr;
  decltype(&nvrtcGetPTXSize) ptx_size = nullptr;
  decltype(&nvrtcGetPTX) ptx = nullptr;
  decltype(&nvrtcGetErrorString) error_string = nullptr;
  decltype(&nvrtcVersion) version = nullptr;
};

std::vector<std::string> candidates() {
  std::vector<std::string> found{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  const auto packages = folder_of_packages();
  if (packages.empty()) return found;
  for (const auto* place : {"cu13/lib/libnvrtc.so.13", "cuda_nvrtc/lib/libnvrtc.so.12"})
    found.push_back(packages + "/nvidia/" + place);
  found.emplace_back("/usr/local/cuda/lib64/libnvrtc.so");
  return found;
}

void* open_library() {
  for (const auto& path : candidates())
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

template <class F>
bool load(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

/// Opened at the first use and never closed; null where there is none.
const Nvrtc* nvrtc() {
  static const Nvrtc* loaded = []() -> const Nvrtc* {
    void* library = open_library();
    if (library == nullptr) return nullptr;
    static Nvrtc api;
    const bool complete =
        load(library, "nvrtcCreateProgram", api.create) && load(library, "nvrtcCompileProgram", api.compile) &&
        load(library, "nvrtcDestroyProgram", api.destroy) && load(library, "nvrtcGetProgramLogSize", api.log_size) &&
        load(library, "nvrtcGetProgramLog", api.log) && load(library, "nvrtcGetCUBINSize", api.cubin_size) &&
        load(library, "nvrtcGetCUBIN", api.cubin) && load(library, "nvrtcGetPTXSize", api.ptx_size) &&
        load(library, "nvrtcGetPTX", api.ptx) && load(library, "nvrtcGetErrorString", api.error_string) &&
        load(library, "nvrtcVersion", api.version);
    return complete ? &api : nullptr;
  }();
  return loaded;
}

struct Program {
  const Nvrtc& api;
  nvrtcProgram handle = nullptr;
  explicit Program(const Nvrtc& functions) : api(functions) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    if (handle != nullptr) api.destroy(&handle);
  }
};

std::string log_of(const Program& program) {
  std::size_t size = 0;
  if (program.api.log_size(program.handle, &size) != NVRTC_SUCCESS || size < 2) return {};
  std::string log(size, '\0');
  program.api.log(program.handle, log.data());
  log.pop_back();
  return log;
}

void check(const Program& program, const KernelSource& source, const char* step, nvrtcResult result) {
  if (result == NVRTC_SUCCESS) return;
  throw CompileFailure(FallbackReason::compile_failed,
                       fmt::format("{}: {} for {}: {}\n{}", source.name, step, source.target,
                                   program.api.error_string(result), program.handle ? log_of(program) : ""));
}

const Nvrtc& required_nvrtc() {
  if (const auto* api = nvrtc()) return *api;
  throw CompileFailure(FallbackReason::no_compiler,
                       "no NVRTC: libnvrtc.so.13 was found neither on the library path nor beside LibTorch");
}

/// From 13 on, NVRTC keeps what it compiled where there is a driver, and says nothing of resources the second time. Our
/// own cache keeps them.
bool has_cache_of_its_own(const Nvrtc& api) {
  int major = 0;
  int minor = 0;
  return api.version(&major, &minor) == NVRTC_SUCCESS && major >= 13;
}

void compile(Program& program, const KernelSource& source) {
  const auto text = std::string(codegen::prelude(codegen::Backend::cuda)) + "\n" + source.text;
  check(program, source, "creating a program",
        program.api.create(&program.handle, text.c_str(), (source.name + ".cu").c_str(), 0, nullptr, nullptr));
  const auto arch = "--gpu-architecture=" + source.target;
  std::vector<const char*> options(kOptions.begin(), kOptions.end());
  options.push_back(arch.c_str());
  if (has_cache_of_its_own(program.api)) options.push_back("--no-cache");
  check(program, source, "compiling",
        program.api.compile(program.handle, static_cast<int>(options.size()), options.data()));
}

/// The number before the first `unit` in the log; 0 when it is not there.
int number_before(const std::string& log, std::string_view unit) {
  const auto end = log.find(unit);
  if (end == std::string::npos) return 0;
  auto begin = end;
  while (begin > 0 && log[begin - 1] >= '0' && log[begin - 1] <= '9') --begin;
  int value = 0;
  std::from_chars(log.data() + begin, log.data() + end, value);
  return value;
}

}  // namespace

std::string nvrtc_options() { return fmt::format("{}", fmt::join(kOptions, " ")); }

Resources resources_from_log(const std::string& log) {
  return {number_before(log, " registers"), number_before(log, " bytes smem"),
          number_before(log, " bytes spill stores")};
}

CompiledKernel compile_cubin(const KernelSource& source) {
  const auto begin = std::chrono::steady_clock::now();
  Program program(required_nvrtc());
  compile(program, source);
  std::size_t size = 0;
  check(program, source, "reading the cubin", program.api.cubin_size(program.handle, &size));
  CompiledKernel compiled;
  compiled.name = source.name;
  compiled.binary.resize(size);
  check(program, source, "reading the cubin", program.api.cubin(program.handle, compiled.binary.data()));
  compiled.resources = resources_from_log(log_of(program));
  compiled.compile_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return compiled;
}

std::string compile_ptx(const KernelSource& source) {
  Program program(required_nvrtc());
  compile(program, source);
  std::size_t size = 0;
  check(program, source, "reading the PTX", program.api.ptx_size(program.handle, &size));
  std::string text(size, '\0');
  check(program, source, "reading the PTX", program.api.ptx(program.handle, text.data()));
  text.resize(text.find_last_not_of(std::string_view("\0\n", 2)) + 1);
  return text + "\n";
}

}  // namespace torchweld::runtime
