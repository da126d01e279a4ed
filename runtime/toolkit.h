#pragma once

#include <string>

namespace torchweld::runtime {

/// The folder that LibTorch's wheel lies in, and the wheels of CUDA's libraries and tools in nvidia/; empty when
/// LibTorch cannot tell where it is.
[[nodiscard]] std::string folder_of_packages();

/// The path of a program of the CUDA toolkit, looked up in $PATH, $CUDA_HOME/bin, /usr/local/cuda/bin and beside
/// LibTorch; empty when there is none.
[[nodiscard]] std::string find_cuda_program(const std::string& program);

/// Throws CompileFailure, naming the places that were searched, when there is neither nvdisasm nor cuobjdump.
void require_disassembler();

/// The machine code of a cubin as text, by nvdisasm or cuobjdump. Throws CompileFailure when there is neither, or with
/// their message.
[[nodiscard]] std::string disassemble(const std::string& cubin);

}  // namespace torchweld::runtime
