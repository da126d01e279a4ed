#pragma once

#include <memory>

namespace torch::jit {
struct Graph;
struct Module;
}  // namespace torch::jit

namespace torchweld::frontend {

/// A copy of `module` with its hooks, which Module::clone drops silently; tensors are shared.
[[nodiscard]] torch::jit::Module plain_copy(const torch::jit::Module& module);

/// A copy of `module` to edit: same attributes, methods and hooks, weights shared. Its graphs are inlined, and
/// attributes that freezing proves constant are constants in them.
[[nodiscard]] torch::jit::Module editable_copy(const torch::jit::Module& module);

/// Makes a method's graph easy to read for what follows: no tensor is written where it need not be, tuples and size
/// arithmetic on tensors are gone, constants are folded, nothing is computed twice or for nobody.
void simplify(const std::shared_ptr<torch::jit::Graph>& graph);

}  // namespace torchweld::frontend
