#pragma once

#include <string>

namespace torchweld::runtime {

/// The folder that LibTorch's wheel lies in, and the wheels of CUDA's libraries and tools in nvidia/; empty when
/// LibTorch cannot tell where it is.
[[nodiscard]] std::string folder_of_packages();

/// Throws CompileFailure when there is neither nvdisasm nor cuobjdump in $PATH, $CUDA_HOME/bin, /usr/local/cuda/bin or
/// beside LibTorch.
void require_disassembler();

/// The machine code of a cubin as text, by nvdisasm or cuobjdump. Throws CompileFailure when there is neither, or with
/// their message.
[[nodiscard]] std::string disassemble(const std::string& cubin);

}  // namespace torchweld::runtime
