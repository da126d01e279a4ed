#pragma once

namespace torch::jit {
struct Graph;
}

namespace torchweld::frontend {

/// Keeps TorchScript's interpreter from running a loop in the middle of loading what the next node uses. A value that
/// the node has loaded already, and that the loop's body reads, would be dead after the first turn: of two loops over
/// `range(n)`, the first fails with "expected int" if its body reads `n`.
void keep_loops_apart(torch::jit::Graph& graph);

}  // namespace torchweld::frontend
