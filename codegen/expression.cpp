#include "codegen/expression.h"

#include <cctype>

#include "codegen/text.h"

namespace torchweld::codegen {
namespace {

using graph::DType;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether operators of the expression may overflow an integer. A minus sign of a literal only costs a wrap.
bool has_arithmetic(std::string_view expression) { return expression.find_first_of("+-*") != std::string_view::npos; }

bool follows(std::string_view text, std::size_t at, std::string_view what) {
  return at >= what.size() && text.substr(at - what.size(), what.size()) == what;
}

}  // namespace

std::string_view memory_type(DType dtype) {
  switch (dtype) {
  case DType::f64:
    return "double";
  case DType::f32:
    return "float";
  case DType::b8:
    return "bool";
  default:
    return graph::name_of(dtype);
  }
}

std::string_view register_type(DType dtype) { return memory_type(graph::compute_dtype(dtype)); }

std::string converted(std::string text, DType from, DType to) {
  from = graph::compute_dtype(from);
  to = graph::compute_dtype(to);
  if (from == to) return text;
  const bool narrow = to == DType::i16 || to == DType::i8 || to == DType::u8;
  if (graph::is_floating(from) && narrow) return join(memory_type(to), "(i64(", text, "))");
  return join(memory_type(to), '(', text, ')');
}

std::string print_expression(std::string_view expression, DType compute, const OperandText& operand) {
  const std::string_view type = memory_type(compute);
  const bool wraps = graph::is_integral(compute) && has_arithmetic(expression);
  std::string text;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (c == '$') {
      int n = 0;
      std::size_t end = i + 1;
      while (end < expression.size() && std::isdigit(static_cast<unsigned char>(expression[end])) != 0)
        n = 10 * n + (expression[end++] - '0');
      const bool is_condition =
          follows(expression, i, "tw_select(") && end < expression.size() && expression[end] == ',';
      const std::string value = operand(n, is_condition);
      text += wraps && !is_condition ? join("wrap(", value, ')') : value;
      i = end - 1;
    } else if (c == 'T' && i + 1 < expression.size() && expression[i + 1] == '(' &&
               (i == 0 || !is_word(expression[i - 1]))) {
      const std::size_t end = expression.find(')', i);
      const std::string literal = join(type, expression.substr(i + 1, end - i));
      text += wraps ? join("wrap(", literal, ')') : literal;
      i = end;
    } else {
      text += c;
    }
  }
  return text;
}

std::string approximate_form(std::string_view expression) {
  if (expression == "tw_exp($0)") return "exp_16($0)";
  if (expression == "tw_sigmoid($0)") return "sigmoid_16($0)";
  if (expression == "$0 / (T(1) + tw_exp(-$0))") return "$0 * sigmoid_16($0)";  // silu
  if (expression == "$0 / $1") return "divide_16($0, $1)";
  return {};
}

std::string identifier_from_op(std::string_view op_name) {
  if (const std::size_t scope = op_name.rfind("::"); scope != std::string_view::npos) op_name.remove_prefix(scope + 2);
  op_name = op_name.substr(0, op_name.find('.'));
  std::string name;
  for (const char c : op_name)
    if (is_word(c) && !(c == '_' && name.empty())) name += c;
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 ? "op" + name : name;
}

}  // namespace torchweld::codegen
