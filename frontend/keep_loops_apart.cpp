#include "frontend/keep_loops_apart.h"

#include <torch/csrc/jit/ir/ir.h>

namespace torchweld::frontend {

using torch::jit::Node;
using torch::jit::Value;

/// The interpreter does so only with a single result that is used once, so the result gets a second use.
void keep_loops_apart(torch::jit::Graph& graph) {
  for (Node* loop : torch::jit::findAllNodes(graph, torch::jit::prim::Loop, /*recurse=*/true)) {
    if (loop->outputs().size() != 1 || loop->output()->uses().size() != 1) continue;
    Value* result = loop->output();
    Node* pair = graph.createTuple({result, result})->insertAfter(loop);
    Node* unpack = graph.createTupleUnpack(pair->output())->insertAfter(pair);
    result->replaceAllUsesAfterNodeWith(pair, unpack->outputs()[0]);
  }
}

}  // namespace torchweld::frontend
