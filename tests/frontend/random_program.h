// Random TorchScript methods for the tests of frontend/.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace torchweld::frontend {

/// Writes a method `forward(self, a, b, n: int)` on float tensors of 4 x 4: pointwise chains, views, writes in place
/// through views and lists, products that no region takes, size arithmetic, ifs and loops. The seed decides all.
class RandomProgram {
public:
  explicit RandomProgram(unsigned seed) : random_(seed) {}

  std::string source() {
    names_ = {"a", "b"};
    std::string text = "def forward(self, a, b, n: int):\n" + statements(6 + below(8), "    ");
    text += "    return " + any() + ", " + any() + ", " + names_.back() + "\n";
    return text;
  }

private:
  using Lines = std::vector<std::string>;

  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  const std::string& pick(const Lines& items) {
    return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
  }
  const std::string& any() { return pick(names_); }

  std::string fresh() { return "v" + std::to_string(count_++); }

  std::string statements(int count, const std::string& indent) {
    std::string text;
    for (int i = 0; i < count; ++i) text += statement(indent);
    return text;
  }

  std::string statement(const std::string& indent) {
    switch (below(12)) {
    case 0:
    case 1:
      return write(indent);
    case 2:
      return indent.size() < 12 ? branch(indent) : assign(indent, pointwise());
    case 3:
      return indent.size() < 12 ? loop(indent) : assign(indent, pointwise());
    case 4:
    case 5:
      return list(indent);
    case 6:
    case 7:
      return assign(indent, view());
    case 8:
      return assign(indent, "torch.mm(" + any() + ", " + any() + ")");
    default:
      return assign(indent, pointwise());
    }
  }

  std::string assign(const std::string& indent, const std::string& expression) {
    const std::string name = fresh();
    std::string text = indent;
    text.append(name).append(" = ").append(expression).append("\n");
    names_.push_back(name);
    return text;
  }

  std::string pointwise() {
    const std::string x = any();
    const std::string y = any();
    return pick({"torch.tanh(" + x + ")", "torch.relu(" + x + ") + " + y, x + " * " + y, x + " - n", x + " * 0.5",
                 "torch.where(" + x + " > " + y + ", " + x + ", " + y + ")", "torch.softmax(" + x + ", -1)",
                 x + " + " + y + ".sum(0)", "torch.sigmoid(" + x + ") / " + x + ".size(0)",
                 x + ".clamp(-1.0, 1.0).add_(1)", "(" + x + " + " + y + ").mul_(0.5)"});
  }

  std::string view() {
    const std::string x = any();
    return pick({x + ".transpose(0, 1)", x + ".t().contiguous()", x + ".reshape(2, 8).reshape(4, 4)",
                 x + ".view(" + any() + ".size(0), -1)", x + ".t().reshape(-1).view(4, 4)", x + ".expand(4, 4)",
                 x + ".to(6)", "torch.dropout(" + x + ", 0.5, False)", x + ".flip(0)",
                 x + "[0].unsqueeze(0).expand(4, 4)", x + ".detach()", x + ".type_as(" + any() + ")"});
  }

  std::string write(const std::string& indent) {
    const std::string x = any();
    return indent +
           pick({x + ".add_(1)", x + "[0].mul_(0.5)", x + ".t()[1].add_(" + any() + "[2])", x + ".relu_()",
                 x + ".copy_(torch.tanh(" + any() + "))", x + "[:, 1].fill_(0.25)"}) +
           "\n";
  }

  std::string list(const std::string& indent) {
    const std::string parts = fresh() + "s";
    std::string text;
    switch (below(3)) {
    case 0:
      text = indent + parts + " = [" + any() + ", " + any() + "]\n";
      if (below(2) == 0) text += write(indent);
      return text + assign(indent, "torch.cat(" + parts + ")[1:5]");
    case 1:
      text = indent + parts + " = torch.chunk(" + any() + ", 2, " + std::to_string(below(2)) + ")\n";
      if (below(2) == 0) text += write(indent);
      return text +
             assign(indent, "torch.cat([" + parts + "[1].reshape(2, 4), torch.tanh(" + parts + "[0]).reshape(2, 4)])");
    default:
      text = indent + parts + " = [" + any() + "]\n" + indent + "for i in range(2):\n" + indent + "    " + parts +
             ".append(torch.tanh(" + parts + "[-1]) + " + any() + ")\n";
      return text + assign(indent, "torch.stack(" + parts + ").sum(0)");
    }
  }

  /// Both sides assign one name that lives on; what else they define does not.
  std::string branch(const std::string& indent) {
    const Lines outer = names_;
    const std::string name = fresh();
    std::string text = indent + "if " + pick({"n > 2", "n % 2 == 0", any() + ".sum() > 0"}) + ":\n";
    text += statements(1 + below(3), indent + "    ") + indent + "    " + name + " = " + last_or_new(outer) + "\n";
    names_ = outer;
    text += indent + "else:\n" + statements(below(3), indent + "    ") + indent + "    " + name + " = " +
            last_or_new(outer) + "\n";
    names_ = outer;
    names_.push_back(name);
    return text;
  }

  std::string loop(const std::string& indent) {
    const Lines outer = names_;
    const std::string name = fresh();
    std::string text = indent + name + " = " + any() + "\n" + indent + "for " + fresh() + " in range(n):\n";
    names_.push_back(name);
    text += statements(1 + below(3), indent + "    ") + indent + "    " + name + " = " + last_or_new(outer) + "\n";
    names_ = outer;
    names_.push_back(name);
    return text;
  }

  std::string last_or_new(const Lines& outer) {
    if (below(3) == 0) return pick(outer);
    return below(2) == 0 ? names_.back() : pointwise();
  }

  std::mt19937 random_;
  Lines names_;
  int count_ = 0;
};

}  // namespace torchweld::frontend
