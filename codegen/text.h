#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace torchweld::codegen {

inline void append(std::string& to, std::string_view part) { to += part; }
inline void append(std::string& to, char part) { to += part; }
template <std::integral T>
void append(std::string& to, T number) {
  char digits[24];
  to.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

/// The parts one after the other; integers in decimal.
template <class... Parts>
[[nodiscard]] std::string join(const Parts&... parts) {
  std::string text;
  (append(text, parts), ...);
  return text;
}

/// Source text written line by line, two spaces for each open block.
class Text {
public:
  explicit Text(int depth = 0) : depth_(depth) {}

  template <class... Parts>
  void line(const Parts&... parts) {
    lines_.append(2 * static_cast<std::size_t>(depth_), ' ');
    (append(lines_, parts), ...);
    lines_ += '\n';
  }
  /// A line that opens a block.
  template <class... Parts>
  void open(const Parts&... parts) {
    line(parts..., sizeof...(parts) == 0 ? "{" : " {");
    ++depth_;
  }
  void close() {
    --depth_;
    line("}");
  }
  [[nodiscard]] const std::string& lines() const { return lines_; }

private:
  std::string lines_;
  int depth_;
};

}  // namespace torchweld::codegen
