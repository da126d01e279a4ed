#pragma once

namespace torch::jit {
struct Graph;
}

namespace torchweld::frontend {

/// Moves each construct of a list of tensors down to the list's first use. PyTorch's passes do not see that a list
/// holds its elements: in `l = [a, b]; a.mul_(2); cat(l)` they delete the write. With the construct after it, they see
/// the use.
void sink_lists(torch::jit::Graph& graph);

/// Writes type_as, whose schema hides that it may return its argument, as the op that it is: to.other.
void show_aliases(torch::jit::Graph& graph);

}  // namespace torchweld::frontend
