#pragma once

namespace torch::jit {
struct Graph;
}

namespace torchweld::frontend {

/// Moves each construct of a list of tensors down to the list's first use. PyTorch's passes do not see that a list
/// holds its elements: in `l = [a, b]; a.mul_(2); cat(l)` they delete the write. With the construct after it, they see
/// the use.
void sink_lists(torch::jit::Graph& graph);

/// Writes type_as and _cast_Float, whose schemas hide that they may return their argument, as what they are: to.other
/// and to.dtype.
void show_aliases(torch::jit::Graph& graph);

}  // namespace torchweld::frontend
