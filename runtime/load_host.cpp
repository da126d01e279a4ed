#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "runtime/files.h"
#include "runtime/loaded_kernel.h"

namespace torchweld::runtime {
namespace {

[[noreturn]] void fail(const CompiledKernel& kernel, std::string_view reason) {
  throw CompileFailure(FallbackReason::compile_failed, fmt::format("{}: cannot be loaded: {}", kernel.name, reason));
}

/// dlopen takes a file, and tells libraries apart by path, so each binary gets a path of its own while it is opened.
void* open(const CompiledKernel& kernel) {
  auto path = temporary_folder() + "/torchweld-XXXXXX.so";
  const int file = mkstemps(path.data(), 3);
  if (file < 0) fail(kernel, "no temporary file " + path);
  ::close(file);
  std::ofstream(path, std::ios::binary) << kernel.binary;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char* error = library == nullptr ? dlerror() : nullptr;
  unlink(path.c_str());
  if (library == nullptr) fail(kernel, error != nullptr ? error : "unknown error");
  return library;
}

}  // namespace

std::string_view name_of(Origin origin) {
  switch (origin) {
  case Origin::compiled:
    return "compiled";
  case Origin::disk:
    return "disk";
  default:
    return "memory";
  }
}

std::shared_ptr<const LoadedKernel> load_host(const CompiledKernel& kernel) {
  auto loaded = std::make_shared<LoadedKernel>();
  loaded->library = std::shared_ptr<void>(open(kernel), [](void* library) { dlclose(library); });
  loaded->name = kernel.name;
  loaded->compile_ms = kernel.compile_ms;
  loaded->host_entry = reinterpret_cast<LoadedKernel::HostEntry>(dlsym(loaded->library.get(), kernel.name.c_str()));
  if (loaded->host_entry == nullptr) fail(kernel, "it has no entry point of its name");
  return loaded;
}

}  // namespace torchweld::runtime
