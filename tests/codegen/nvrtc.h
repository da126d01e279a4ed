#pragma once

#include <string>

namespace torchweld::testing {

/// Whether an NVRTC library is on the library path or beside the LibTorch that the build uses.
[[nodiscard]] bool has_nvrtc();

/// The log of compiling a text to an sm_90 cubin as the runtime does; empty when it compiles.
[[nodiscard]] std::string nvrtc_errors(const std::string& text);

/// Bytes that the kernels of a text spill from registers to memory.
[[nodiscard]] int nvrtc_spilled_bytes(const std::string& text);

}  // namespace torchweld::testing
