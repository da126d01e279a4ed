#include "fusion/scalar_expression.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace torchweld::testing {

namespace {

double nan_max(double a, double b) { return std::isnan(a) || a > b ? a : b; }
double nan_min(double a, double b) { return std::isnan(a) || a < b ? a : b; }

double call(std::string_view name, const std::vector<double>& x) {
  struct Unary {
    std::string_view name;
    double (*function)(double);
  };
  static constexpr Unary kUnary[] = {
      {"tw_exp", [](double a) { return std::exp(a); }},
      {"tw_expm1", [](double a) { return std::expm1(a); }},
      {"tw_log", [](double a) { return std::log(a); }},
      {"tw_log1p", [](double a) { return std::log1p(a); }},
      {"tw_sin", [](double a) { return std::sin(a); }},
      {"tw_cos", [](double a) { return std::cos(a); }},
      {"tw_tanh", [](double a) { return std::tanh(a); }},
      {"tw_erf", [](double a) { return std::erf(a); }},
      {"tw_sqrt", [](double a) { return std::sqrt(a); }},
      {"tw_rsqrt", [](double a) { return 1 / std::sqrt(a); }},
      {"tw_sigmoid", [](double a) { return 1 / (1 + std::exp(-a)); }},
      {"tw_floor", [](double a) { return std::floor(a); }},
      {"tw_ceil", [](double a) { return std::ceil(a); }},
      {"tw_abs", [](double a) { return std::fabs(a); }},
      {"tw_isnan", [](double a) { return std::isnan(a) ? 1.0 : 0.0; }},
      {"tw_not", [](double a) { return a == 0 ? 1.0 : 0.0; }},
  };
  for (const Unary& unary : kUnary)
    if (unary.name == name) return unary.function(x.at(0));
  if (name == "T") return x.at(0);
  if (name == "tw_max") return nan_max(x.at(0), x.at(1));
  if (name == "tw_min") return nan_min(x.at(0), x.at(1));
  if (name == "tw_pow") return std::pow(x.at(0), x.at(1));
  if (name == "tw_select") return x.at(0) != 0 ? x.at(1) : x.at(2);
  if (name == "tw_and") return x.at(0) != 0 && x.at(1) != 0 ? 1 : 0;
  if (name == "tw_or") return x.at(0) != 0 || x.at(1) != 0 ? 1 : 0;
  throw std::invalid_argument("the test interpreter does not know " + std::string(name));
}

/// Recursive descent: comparison, sum, product, prefix, atom.
class Evaluation {
public:
  Evaluation(std::string_view text, const std::vector<double>& inputs) : text_(text), inputs_(inputs) {}

  double run() {
    const double value = comparison();
    skip_spaces();
    if (at_ != text_.size()) fail();
    return value;
  }

private:
  [[noreturn]] void fail() const {
    throw std::invalid_argument("cannot evaluate \"" + std::string(text_) + "\" at " + std::to_string(at_));
  }
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view token) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  double comparison() {
    const double left = sum();
    if (take("==")) return left == sum() ? 1 : 0;
    if (take("!=")) return left != sum() ? 1 : 0;
    if (take("<=")) return left <= sum() ? 1 : 0;
    if (take(">=")) return left >= sum() ? 1 : 0;
    if (take("<")) return left < sum() ? 1 : 0;
    if (take(">")) return left > sum() ? 1 : 0;
    return left;
  }
  double sum() {
    double value = product();
    while (true) {
      if (take("+"))
        value += product();
      else if (take("-"))
        value -= product();
      else
        return value;
    }
  }
  double product() {
    double value = prefix();
    while (true) {
      if (take("*"))
        value *= prefix();
      else if (take("/"))
        value /= prefix();
      else
        return value;
    }
  }
  double prefix() { return take("-") ? -prefix() : atom(); }
  double atom() {
    if (take("(")) {
      const double value = comparison();
      if (!take(")")) fail();
      return value;
    }
    if (take("$")) return inputs_.at(static_cast<std::size_t>(number()));
    if (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return number();
    return function();
  }
  double number() {
    double value = 0;
    const auto result = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (result.ec != std::errc{}) fail();
    at_ = static_cast<std::size_t>(result.ptr - text_.data());
    return value;
  }
  double function() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    std::vector<double> arguments;
    if (name.empty() || !take("(")) fail();
    do arguments.push_back(comparison());
    while (take(","));
    if (!take(")")) fail();
    return call(name, arguments);
  }

  std::string_view text_;
  const std::vector<double>& inputs_;
  std::size_t at_ = 0;
};

}  // namespace

double evaluate(std::string_view expression, const std::vector<double>& inputs) {
  return Evaluation(expression, inputs).run();
}

double converted(double value, graph::DType dtype) {
  if (dtype == graph::DType::b8) return value != 0 ? 1 : 0;
  return graph::is_integral(dtype) ? std::trunc(value) : value;
}

double reduced(graph::ReductionKind kind, const std::vector<double>& elements) {
  using graph::ReductionKind;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double value = 0;
  switch (kind) {
  case ReductionKind::sum:
    for (const double element : elements) value += element;
    return value;
  case ReductionKind::prod:
    value = 1;
    for (const double element : elements) value *= element;
    return value;
  case ReductionKind::max:
    value = -kInfinity;
    for (const double element : elements) value = nan_max(value, element);
    return value;
  case ReductionKind::min:
    value = kInfinity;
    for (const double element : elements) value = nan_min(value, element);
    return value;
  case ReductionKind::any:
    for (const double element : elements) value = value != 0 || element != 0 ? 1 : 0;
    return value;
  case ReductionKind::all:
    value = 1;
    for (const double element : elements) value = value != 0 && element != 0 ? 1 : 0;
    return value;
  case ReductionKind::argmax:
  case ReductionKind::argmin:
    break;
  }
  std::size_t best = 0;
  for (std::size_t at = 1; at < elements.size(); ++at) {
    const bool better = kind == ReductionKind::argmax ? elements[at] > elements[best] : elements[at] < elements[best];
    if (better) best = at;
  }
  return static_cast<double>(best);
}

}  // namespace torchweld::testing
