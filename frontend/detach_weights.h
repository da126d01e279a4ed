#pragma once

namespace torch::jit {
struct Module;
}

namespace torchweld::frontend {

/// Puts in place of each parameter and buffer that requires grad an alias of it that does not: same memory, so that
/// changes of the original in place are seen. Without it a caller who forgets no_grad would get activations that
/// require grad from the first convolution on, and every region behind it would have to run its original nodes.
/// Does nothing to a module in training mode.
void detach_weights(const torch::jit::Module& module);

}  // namespace torchweld::frontend
