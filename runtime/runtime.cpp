#include "runtime/runtime.h"

#include <c10/util/Exception.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace torchweld::runtime {

Runtime::Runtime() : kernels(pool, [](const std::string& message) { TORCH_WARN(message); }) {
  const char* off = std::getenv("TORCHWELD_OFF");
  set_off(off != nullptr && std::string_view(off) == "1");
  // Compilers keep state that the end of the process takes away.
  std::atexit([] { Runtime::get().pool.stop(); });
}

Runtime& Runtime::get() {
  static auto& runtime = *new Runtime;
  return runtime;
}

void set_translator(Translator translator) { Runtime::get().set_translator(translator); }

}  // namespace torchweld::runtime
