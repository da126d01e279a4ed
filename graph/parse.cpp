#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>

#include "graph/op.h"
#include "graph/passes.h"
#include "torchweld/error.h"

namespace torchweld::graph {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.'; }

/// The text and a position in it. White space, new lines included, only separates.
class Cursor {
public:
  explicit Cursor(std::string_view text) : text_(text) { skip_space(); }

  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[position_]; }
  [[nodiscard]] bool at_end() const { return position_ >= text_.size(); }
  [[nodiscard]] std::size_t position() const { return position_; }

  bool accept(std::string_view token) {
    if (!text_.substr(position_).starts_with(token)) return false;
    position_ += token.size();
    skip_space();
    return true;
  }

  void expect(std::string_view token) {
    if (!accept(token)) fail_expected('"' + std::string(token) + '"');
  }

  /// The longest run of characters that `belongs` accepts; at least one.
  template <typename Belongs>
  std::string_view take(Belongs belongs, std::string_view expected) {
    const std::size_t begin = position_;
    while (!at_end() && belongs(text_[position_])) ++position_;
    if (begin == position_) fail_expected(expected);
    const std::string_view taken = text_.substr(begin, position_ - begin);
    skip_space();
    return taken;
  }

  std::string quoted() {
    std::string string;
    for (++position_; !at_end() && text_[position_] != '"'; ++position_) {
      if (text_[position_] == '\\' && position_ + 1 < text_.size()) {
        ++position_;
        string += text_[position_] == 'n' ? '\n' : text_[position_];
      } else {
        string += text_[position_];
      }
    }
    expect("\"");
    return string;
  }

  [[noreturn]] void fail_expected(std::string_view expected) const {
    std::string_view found = text_.substr(position_);
    found = found.substr(0, std::min(found.find_first_of(" \n"), std::size_t{20}));
    const std::string shown = at_end() ? "the end of the text" : '"' + std::string(found) + '"';
    fail_at(position_, "found " + shown + ", expected " + std::string(expected));
  }

  [[noreturn]] void fail_at(std::size_t position, const std::string& message) const {
    const std::string_view before = text_.substr(0, position);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
    throw Error("graph text:" + std::to_string(line) + ":" + std::to_string(position - line_begin + 1) + ": " +
                message);
  }

private:
  void skip_space() {
    while (!at_end() && (text_[position_] == ' ' || text_[position_] == '\n')) ++position_;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

class Parser {
public:
  explicit Parser(std::string_view text) : cursor_(text) {}

  Graph parse() {
    cursor_.expect("graph(");
    while (!cursor_.accept(")")) {
      const auto [name, type] = definition();
      bind(name, graph_.add_input(type));
      if (!cursor_.accept(",") && cursor_.peek() != ')') cursor_.fail_expected("\",\" or \")\"");
    }
    cursor_.expect(":");
    while (!cursor_.accept("return")) node();
    std::vector<Value> outputs;
    if (!cursor_.at_end()) do
        outputs.push_back(use());
      while (cursor_.accept(","));
    if (!cursor_.at_end()) cursor_.fail_expected("the end of the text");
    graph_.set_outputs(std::move(outputs));
    return std::move(graph_);
  }

private:
  struct Name {
    std::string_view text;
    std::size_t position;
  };

  Name value_name() {
    const std::size_t position = cursor_.position();
    if (cursor_.peek() != '%') cursor_.fail_expected("a value such as %x");
    cursor_.expect("%");
    return {cursor_.take(is_word, "a name"), position};
  }

  Value use() {
    const Name name = value_name();
    const auto found = values_.find(name.text);
    if (found == values_.end()) cursor_.fail_at(name.position, "%" + std::string(name.text) + " is not defined");
    return found->second;
  }

  void bind(Name name, Value value) {
    if (!values_.emplace(name.text, value).second)
      cursor_.fail_at(name.position, "%" + std::string(name.text) + " is defined twice");
    if (!is_digit(name.text[0])) graph_.set_name(value, std::string(name.text));
  }

  std::pair<Name, Type> definition() {
    const Name name = value_name();
    cursor_.expect(":");
    return {name, type()};
  }

  void node() {
    std::vector<Name> names;
    std::vector<Type> types;
    if (cursor_.peek() == '%') {
      do {
        auto [name, type] = definition();
        names.push_back(name);
        types.push_back(std::move(type));
      } while (cursor_.accept(","));
      cursor_.expect("=");
    }
    const Op& op = op_name();
    std::vector<Operand> operands = list_until(')');
    const std::vector<Value> results = graph_.add(op, std::move(operands), std::move(types));
    for (std::size_t i = 0; i < results.size(); ++i) bind(names[i], results[i]);
  }

  const Op& op_name() {
    const std::size_t position = cursor_.position();
    const std::string_view name = cursor_.take([](char c) { return is_word(c) || c == ':'; }, "an op");
    const Op* op = find_op(name);
    if (!op) cursor_.fail_at(position, "unknown op " + std::string(name) + ", expected a row of the op table");
    cursor_.expect("(");
    return *op;
  }

  std::vector<Operand> list_until(char close) {
    std::vector<Operand> operands;
    const std::string_view closing(&close, 1);
    while (!cursor_.accept(closing)) {
      operands.push_back(operand());
      if (!cursor_.accept(",") && cursor_.peek() != close)
        cursor_.fail_expected("\",\" or \"" + std::string(closing) + '"');
    }
    return operands;
  }

  Operand operand() {
    if (cursor_.peek() == '%') return use();
    if (cursor_.peek() == '"') return cursor_.quoted();
    if (cursor_.accept("[")) return list_until(']');
    const std::size_t position = cursor_.position();
    const std::string_view word = cursor_.take([](char c) { return is_word(c) || c == '-' || c == '+'; }, "an operand");
    if (word == "None") return None{};
    if (word == "True") return true;
    if (word == "False") return false;
    return number(word, position);
  }

  Operand number(std::string_view word, std::size_t position) {
    std::int64_t integer = 0;
    double real = 0;
    const char* end = word.data() + word.size();
    const auto is_whole = [&](std::from_chars_result read) { return read.ec == std::errc{} && read.ptr == end; };
    if (is_whole(std::from_chars(word.data(), end, integer))) return integer;
    if (is_whole(std::from_chars(word.data(), end, real))) return real;
    cursor_.fail_at(position, "found \"" + std::string(word) + "\", expected a number, True, False or None");
  }

  Type type() {
    const std::size_t position = cursor_.position();
    const std::string_view word = cursor_.take(is_word, "a type");
    if (cursor_.peek() == '[') return tensor_type(word, position);
    if (word == "tensor") return UntypedTensor{};
    if (word == "list") return ListType{};
    if (word == "int") return ScalarType{DType::i64};
    if (word == "float") return ScalarType{DType::f64};
    if (word == "bool") return ScalarType{DType::b8};
    cursor_.fail_at(position, "unknown type " + std::string(word) +
                                  ", expected a tensor such as f32[8,4], tensor, int, float, bool or list");
  }

  TensorType tensor_type(std::string_view name, std::size_t position) {
    const std::optional<DType> dtype = dtype_from_name(name);
    if (!dtype)
      cursor_.fail_at(position,
                      "unknown dtype " + std::string(name) + ", expected f64 f32 f16 bf16 i64 i32 i16 i8 u8 or bool");
    TensorType type{.dtype = *dtype, .sizes = {}, .strides = {}};
    cursor_.expect("[");
    type.sizes = dims("]");
    type.strides = contiguous_strides(type.sizes);
    if (const std::size_t brace = cursor_.position(); cursor_.accept("{")) {
      type.strides = dims("}");
      if (type.strides.size() != type.sizes.size())
        cursor_.fail_at(brace, "found " + std::to_string(type.strides.size()) + " strides, expected " +
                                   std::to_string(type.sizes.size()));
    }
    while (cursor_.accept("@")) tensor_property(type);
    return type;
  }

  void tensor_property(TensorType& type) {
    const std::size_t position = cursor_.position();
    if (cursor_.accept("cuda"))
      type.device = Device::cuda;
    else if (cursor_.accept("number"))
      type.wrapped_number = true;
    else if (cursor_.accept("align"))
      type.alignment = static_cast<int>(integer());
    else
      cursor_.fail_at(position, "unknown property of a tensor, expected @cuda, @number or @align4");
  }

  std::int64_t integer() {
    const std::size_t position = cursor_.position();
    const std::string_view word = cursor_.take([](char c) { return is_digit(c) || c == '-'; }, "an integer");
    std::int64_t value = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
    if (read.ec != std::errc{} || read.ptr != word.data() + word.size())
      cursor_.fail_at(position, "found \"" + std::string(word) + "\", expected an integer of 64 bits");
    return value;
  }

  Dims dims(std::string_view close) {
    Dims values;
    while (!cursor_.accept(close)) {
      values.push_back(integer());
      if (!cursor_.accept(",") && cursor_.peek() != close[0])
        cursor_.fail_expected("\",\" or \"" + std::string(close) + '"');
    }
    return values;
  }

  Cursor cursor_;
  Graph graph_;
  std::unordered_map<std::string_view, Value> values_;
};

}  // namespace

Graph parse(std::string_view text) { return Parser(text).parse(); }

}  // namespace torchweld::graph
