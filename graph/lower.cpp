#include "graph/arguments.h"
#include "graph/builder.h"
#include "graph/passes.h"
#include "graph/rewrite.h"
#include "torchweld/error.h"

namespace torchweld::graph {
namespace {

class Lowering {
public:
  explicit Lowering(const Graph& typed) : typed_(typed), rewrite_(typed), builder_(rewrite_.out()) {}

  Graph run() {
    for (const Node& node : typed_.nodes()) {
      if (node.results.empty()) continue;  // unbind of nothing
      const auto* composite = std::get_if<Composite>(&node.op->body);
      if (composite)
        decompose(node, *composite);
      else
        rewrite_.copy(node);
    }
    return rewrite_.finish();
  }

private:
  void decompose(const Node& node, const Composite& composite) {
    const std::vector<Operand> operands = rewrite_.renamed(node.operands);
    std::vector<Type> types;
    for (const Value result : node.results) types.push_back(typed_.type(result));
    const std::int32_t first_new = rewrite_.out().num_values();
    builder_.set_line(node.line);
    const std::vector<Value> values =
        composite.decompose(builder_, {rewrite_.out(), *node.op, operands, DType::f32,
                                       Place{std::get<TensorType>(types.at(0)).device}, types});
    ensure(values.size() == node.results.size(), "a decomposition has one value per result");
    for (std::size_t i = 0; i < values.size(); ++i)
      rewrite_.rename(node.results[i], with_type(values[i], std::get<TensorType>(types[i]), first_new));
  }

  /// The row of a composite owns the layout of its results: the last node of a decomposition takes it over.
  Value with_type(Value value, const TensorType& type, std::int32_t first_new) {
    const TensorType& found = builder_.tensor(value);
    if (found == type) return value;
    ensure(found.sizes == type.sizes && found.dtype == type.dtype, "a decomposition keeps sizes and dtype of its node");
    if (value.index < first_new) return builder_.copy(value, type);
    rewrite_.out().set_type(value, type);
    return value;
  }

  const Graph& typed_;
  Rewrite rewrite_;
  Builder builder_;
};

}  // namespace

std::variant<Graph, Unsupported> lower(const Graph& typed) {
  try {
    return Lowering(typed).run();
  } catch (const Refused& refused) {
    return refused.why;
  }
}

}  // namespace torchweld::graph
