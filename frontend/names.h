#pragma once

#include <string>

namespace torch::jit {
struct Node;
}

namespace torchweld::frontend {

/// Qualified name and overload of the op that `node` applies ("aten::add.Tensor"); its kind where it has no schema.
[[nodiscard]] std::string op_name(const torch::jit::Node& node);

/// The line of the model's source that made `node` ("model.py:42:15", without folders); empty when it is unknown.
[[nodiscard]] std::string source_line(const torch::jit::Node& node);

}  // namespace torchweld::frontend
