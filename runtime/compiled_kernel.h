#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "codegen/kernel.h"
#include "runtime/fallback_reason.h"

namespace torchweld::runtime {

/// What the kernel compiler reports of a kernel. All 0 for the host.
struct Resources {
  int registers = 0;     ///< a thread
  int shared_bytes = 0;  ///< static, a block
  int spill_bytes = 0;   ///< stored to local memory, a thread
  bool operator==(const Resources&) const = default;
};

/// One compiled kernel: a cubin, or a shared object of the host that holds it beside others.
struct CompiledKernel {
  std::string name;  ///< of its entry point
  std::string binary;
  Resources resources;
  double compile_ms = 0;  ///< of the compiler call; shared by the kernels of one call
  bool operator==(const CompiledKernel&) const = default;
};

/// Why there is no compiled kernel. Not an error of a call: the call falls back, with this reason.
class CompileFailure : public std::runtime_error {
public:
  CompileFailure(FallbackReason reason, const std::string& message) : std::runtime_error(message), reason_(reason) {}
  [[nodiscard]] FallbackReason reason() const { return reason_; }

private:
  FallbackReason reason_;
};

/// All that a compiled kernel depends on.
struct KernelSource {
  codegen::Backend backend = codegen::Backend::host;
  std::string name;
  std::string text;    ///< without the prelude
  std::string target;  ///< "sm_90"; for the host what tells its processors and compilers apart
};

}  // namespace torchweld::runtime
