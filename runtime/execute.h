#pragma once

#include <ATen/core/stack.h>

namespace torchweld::runtime {

/// torchweld::execute: pops inputs, scalars and region, and pushes the list of results.
void execute(torch::jit::Stack& stack);
/// torchweld::execute_: the same with the tensors that the region writes first.
void execute_writing(torch::jit::Stack& stack);

}  // namespace torchweld::runtime
