#include "codegen/nvrtc.h"

#include <dlfcn.h>
#include <glob.h>

#include <cstdlib>
#include <stdexcept>

namespace torchweld::testing {
namespace {

std::string virtual_environment() {
  if (const char* chosen = std::getenv("TORCHWELD_VENV")) return chosen;
  if (const char* cache = std::getenv("XDG_CACHE_HOME")) return std::string(cache) + "/torchweld/venv";
  const char* home = std::getenv("HOME");
  return std::string(home ? home : "") + "/.cache/torchweld/venv";
}

void* open_library() {
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
    if (void* library = dlopen(name, RTLD_NOW)) return library;
  const std::string pattern = virtual_environment() + "/lib/python3*/site-packages/nvidia/cu13/lib/libnvrtc.so.13";
  glob_t found{};
  void* library = nullptr;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) library = dlopen(found.gl_pathv[0], RTLD_NOW);
  globfree(&found);
  return library;
}

void* library() {
  static void* const opened = open_library();
  return opened;
}

template <class Function>
Function function(const char* name) {
  void* const found = dlsym(library(), name);
  if (found == nullptr) throw std::runtime_error(std::string("NVRTC has no ") + name);
  return reinterpret_cast<Function>(found);
}

struct Compilation {
  bool works = false;
  std::string log;
};

/// With what ptxas says of each kernel.
Compilation compile(const std::string& text) {
  using Create = int (*)(void**, const char*, const char*, int, const char* const*, const char* const*);
  using Compile = int (*)(void*, int, const char* const*);
  void* program = nullptr;
  function<Create>("nvrtcCreateProgram")(&program, text.c_str(), "kernel.cu", 0, nullptr, nullptr);
  const char* options[] = {"--gpu-architecture=sm_90", "--std=c++17", "--fmad=false", "--ptxas-options=--verbose"};
  const int status = function<Compile>("nvrtcCompileProgram")(program, static_cast<int>(std::size(options)), options);
  std::size_t size = 0;
  function<int (*)(void*, std::size_t*)>("nvrtcGetProgramLogSize")(program, &size);
  std::string log(size, '\0');
  function<int (*)(void*, char*)>("nvrtcGetProgramLog")(program, log.data());
  function<int (*)(void**)>("nvrtcDestroyProgram")(&program);
  return {status == 0, log};
}

}  // namespace

bool has_nvrtc() { return library() != nullptr; }

std::string nvrtc_errors(const std::string& text) {
  const Compilation compiled = compile(text);
  return compiled.works ? std::string() : compiled.log;
}

int nvrtc_spilled_bytes(const std::string& text) {
  const Compilation compiled = compile(text);
  if (!compiled.works) throw std::runtime_error(compiled.log);
  constexpr std::string_view kWords = " bytes spill stores";
  int bytes = 0, kernels = 0;
  for (std::size_t at = compiled.log.find(kWords); at != std::string::npos; at = compiled.log.find(kWords, at + 1)) {
    bytes += std::atoi(compiled.log.c_str() + compiled.log.rfind(' ', at - 1) + 1);
    ++kernels;
  }
  if (kernels == 0) throw std::runtime_error("ptxas says nothing of spills: " + compiled.log);
  return bytes;
}

}  // namespace torchweld::testing
