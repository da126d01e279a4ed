#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <unordered_set>
#include <vector>

#include "graph/op.h"
#include "graph/passes.h"

namespace torchweld::graph {
namespace {

/// Appends the text of one graph. A value keeps its name where that is unique and an identifier; else it is its index.
class Printer {
public:
  explicit Printer(const Graph& graph) : graph_(graph) { choose_names(); }

  std::string print() {
    text_ = "graph(";
    print_list(graph_.inputs(), [&](Value value) { print_definition(value); });
    text_ += "):\n";
    for (const Node& node : graph_.nodes()) print_node(node);
    text_ += "  return";
    if (!graph_.outputs().empty()) text_ += ' ';
    print_list(graph_.outputs(), [&](Value value) { print_value(value); });
    text_ += '\n';
    return std::move(text_);
  }

private:
  void choose_names() {
    std::unordered_set<std::string_view> taken;
    for (std::int32_t i = 0; i < graph_.num_values(); ++i) {
      const std::string& name = graph_.name({i});
      const bool usable = is_identifier(name) && taken.insert(name).second;
      names_.push_back(usable ? name : std::to_string(i));
    }
  }

  static bool is_identifier(std::string_view name) {
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
    return name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") == name.npos;
  }

  template <typename Range, typename Print>
  void print_list(const Range& range, Print print) {
    bool first = true;
    for (const auto& element : range) {
      if (!first) text_ += ", ";
      first = false;
      print(element);
    }
  }

  void print_value(Value value) {
    text_ += '%';
    text_ += names_[static_cast<std::size_t>(value.index)];
  }

  void print_definition(Value value) {
    print_value(value);
    text_ += ": ";
    text_ += to_text(graph_.type(value));
  }

  void print_node(const Node& node) {
    text_ += "  ";
    print_list(node.results, [&](Value value) { print_definition(value); });
    text_ += node.results.empty() ? "" : " = ";
    text_ += node.op->name;
    text_ += '(';
    print_list(node.operands, [&](const Operand& operand) { print_operand(operand); });
    text_ += ")\n";
  }

  void print_operand(const Operand& operand) {
    std::visit([&](const auto& held) { print_held(held); }, operand.held);
  }
  void print_held(None) { text_ += "None"; }
  void print_held(Value value) { print_value(value); }
  void print_held(std::int64_t number) { text_ += std::to_string(number); }
  void print_held(bool truth) { text_ += truth ? "True" : "False"; }
  void print_held(const Operand::List& list) {
    text_ += '[';
    print_list(list, [&](const Operand& element) { print_operand(element); });
    text_ += ']';
  }
  void print_held(double number) {
    if (std::isnan(number)) {
      text_ += "nan";
      return;
    }
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    const std::string_view printed(digits.data(), static_cast<std::size_t>(end - digits.data()));
    text_ += printed;
    if (printed.find_first_of(".en") == printed.npos) text_ += ".0";
  }
  void print_held(const std::string& string) {
    text_ += '"';
    for (const char c : string) {
      if (c == '"' || c == '\\') text_ += '\\';
      if (c == '\n')
        text_ += "\\n";
      else
        text_ += c;
    }
    text_ += '"';
  }

  const Graph& graph_;
  std::vector<std::string> names_;
  std::string text_;
};

std::string joined(const Dims& dims) {
  std::string text;
  for (const std::int64_t dim : dims) {
    if (!text.empty()) text += ',';
    text += std::to_string(dim);
  }
  return text;
}

std::string text_of(const TensorType& type) {
  std::string text(name_of(type.dtype));
  text += '[' + joined(type.sizes) + ']';
  if (type.strides != contiguous_strides(type.sizes)) text += '{' + joined(type.strides) + '}';
  if (type.device == Device::cuda) text += "@cuda";
  if (type.alignment != kVectorBytes) text += "@align" + std::to_string(type.alignment);
  if (type.wrapped_number) text += "@number";
  return text;
}
std::string text_of(UntypedTensor) { return "tensor"; }
std::string text_of(ListType) { return "list"; }
std::string text_of(ScalarType type) {
  if (type.dtype == DType::b8) return "bool";
  return type.dtype == DType::f64 ? "float" : "int";
}

}  // namespace

std::string to_text(const Type& type) {
  return std::visit([](const auto& held) { return text_of(held); }, type);
}

std::string to_text(const Graph& graph) { return Printer(graph).print(); }

}  // namespace torchweld::graph
