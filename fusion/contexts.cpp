#include "fusion/contexts.h"

namespace torchweld::fusion {

using graph::Node;
using graph::Value;

namespace {

constexpr int kUnknown = -1;

class Assignment {
public:
  Assignment(const Units& units, const std::vector<char>& is_member) : units_(units), is_member_(is_member) {
    contexts_.of_node.assign(is_member.size(), kUnknown);
    contexts_.first.assign(is_member.size(), kUnknown);
  }

  /// Members are visited from consumers to producers.
  void visit(std::int32_t index) {
    const Node& node = units_.graph->nodes()[static_cast<std::size_t>(index)];
    int& context = contexts_.of_node[static_cast<std::size_t>(index)];
    if (context == kUnknown) context = 0;
    if (context > 0 && (is_cat(node) || graph::is_reduction(*node.op)))
      refuse(node.results[0], "is an operand of a cat and not pointwise");
    const std::vector<Value> values = graph::values_of(node);
    const int first = is_cat(node) ? next_ : 0;
    if (is_cat(node)) {
      contexts_.first[static_cast<std::size_t>(index)] = first;
      next_ += static_cast<int>(values.size());
    }
    for (std::size_t operand = 0; operand < values.size(); ++operand)
      use(values[operand], is_cat(node) ? first + static_cast<int>(operand) : context);
  }

  Contexts take() { return std::move(contexts_); }

private:
  void use(Value value, int context) {
    const std::int32_t unit = units_.unit_behind(value);
    if (unit < 0 || !is_member_[static_cast<std::size_t>(unit)]) return;
    int& known = contexts_.of_node[static_cast<std::size_t>(unit)];
    if (known != kUnknown && known != context) refuse(units_.base_of(value), "is an operand of a cat and used again");
    known = context;
  }
  void refuse(Value value, const char* details) {
    if (!contexts_.refusal) contexts_.refusal = Refusal{Reason::two_index_maps, value, details};
  }

  const Units& units_;
  const std::vector<char>& is_member_;
  Contexts contexts_;
  int next_ = 1;
};

}  // namespace

Contexts assign_contexts(const Units& units, std::span<const std::int32_t> members,
                         const std::vector<char>& is_member) {
  Assignment assignment(units, is_member);
  for (std::size_t at = members.size(); at-- > 0;) assignment.visit(members[at]);
  return assignment.take();
}

}  // namespace torchweld::fusion
