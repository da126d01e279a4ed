#pragma once

#include <cstdint>
#include <unordered_map>

#include "frontend/effects.h"
#include "torchweld/outcome.h"

namespace torch::jit {
class AliasDb;
struct Graph;
struct Node;
struct Value;
}  // namespace torch::jit

namespace torchweld::graph {
struct Op;
}

namespace torchweld::frontend {

/// What a node may be to a region.
enum class Role : std::uint8_t {
  compute,  ///< computes new tensors
  view,     ///< returns, or may return, an alias of its argument: copied in, and the original stays for others
  carried,  ///< size arithmetic and lists: copied in, and the original stays for others
  outside,
};

struct Verdict {
  Role role = Role::outside;
  Boundary reason = Boundary::unknown_op;  ///< of an outside node
  const graph::Op* op = nullptr;           ///< its row, unless outside
};

using Verdicts = std::unordered_map<const torch::jit::Node*, Verdict>;

/// Whether and how a region can hold each node of `graph`, nested blocks included: its op has a row in the op table,
/// and each argument has a form that a region's text and graph can say.
[[nodiscard]] Verdicts judge(torch::jit::Graph& graph, const Surroundings& surroundings,
                             const torch::jit::AliasDb& aliases);

/// True for ops that return their argument itself or a copy of it, as sizes and strides have it (reshape, to, ...).
[[nodiscard]] bool may_copy(const torch::jit::Node& view);

/// True when a region's text can hold the constant: a number, bool, string, device, None, or a list of finite numbers.
[[nodiscard]] bool is_printable_constant(const torch::jit::Value& value);

/// True for what can be an input of a region: a tensor (perhaps missing), an int, a float or a bool.
[[nodiscard]] bool is_tensor(const torch::jit::Value& value);
[[nodiscard]] bool is_scalar(const torch::jit::Value& value);

}  // namespace torchweld::frontend
