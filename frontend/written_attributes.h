#pragma once

namespace torch::jit {
struct Module;
}

namespace torchweld::frontend {

/// Gives `module` its own copy of every attribute that one of its methods writes in place: the rest stays shared with
/// the module it was copied from. Tensors that share memory with a written one are copied with it.
void copy_written_attributes(torch::jit::Module& module);

}  // namespace torchweld::frontend
