#include "runtime/runtime.h"

#include <cstdlib>
#include <string_view>

namespace torchweld::runtime {

Runtime::Runtime() {
  const char* off = std::getenv("TORCHWELD_OFF");
  set_off(off != nullptr && std::string_view(off) == "1");
}

Runtime& Runtime::get() {
  static auto& runtime = *new Runtime;
  return runtime;
}

void set_translator(Translator translator) { Runtime::get().set_translator(translator); }

}  // namespace torchweld::runtime
