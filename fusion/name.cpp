#include <cctype>
#include <string>

#include "fusion/group.h"

namespace torchweld::fusion {

namespace {

constexpr std::size_t kMaxName = 48;
constexpr std::string_view kSuffix = "_kernel";

/// "mul" of "aten::mul.Tensor".
std::string word_of(const graph::Op& op) {
  std::string_view name = op.name;
  if (const std::size_t colon = name.rfind("::"); colon != std::string_view::npos) name.remove_prefix(colon + 2);
  name = name.substr(0, name.find('.'));
  std::string word(name);
  for (char& letter : word)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  const std::size_t first = word.find_first_not_of('_');
  return first == std::string::npos ? "op" : word.substr(first, word.find_last_not_of('_') - first + 1);
}

std::string word_of(graph::ReductionKind kind) {
  switch (kind) {
  case graph::ReductionKind::sum:
    return "sum";
  case graph::ReductionKind::prod:
    return "prod";
  case graph::ReductionKind::max:
    return "max";
  case graph::ReductionKind::min:
    return "min";
  case graph::ReductionKind::any:
    return "any";
  case graph::ReductionKind::all:
    return "all";
  case graph::ReductionKind::argmax:
    return "argmax";
  case graph::ReductionKind::argmin:
    return "argmin";
  }
  return "reduce";
}

std::string word_of(const Statement& statement) {
  if (const auto* pointwise = std::get_if<Pointwise>(&statement.body)) return word_of(*pointwise->op);
  if (const auto* reduce = std::get_if<Reduce>(&statement.body)) return word_of(reduce->kind);
  if (std::holds_alternative<Position>(statement.body)) return "arange";
  return std::holds_alternative<Choose>(statement.body) ? "cat" : "";
}

}  // namespace

std::string name_of(const graph::Graph&, const Group& group) {
  std::string name;
  bool casts = false;
  int words = 0;
  for (const Statement& statement : group.statements) {
    const std::string word = word_of(statement);
    casts = casts || word == "cast";
    if (word.empty() || word == "cast") continue;
    if (name.size() + word.size() + 1 > kMaxName - kSuffix.size()) break;
    if (words++ > 0) name += '_';
    name += word;
  }
  if (name.empty()) name = casts ? "cast" : "copy";
  // A word alone may be a function of the target ("exp"), and so may a name that ends as some C++ words do ("and_eq").
  if (words < 2 || name.ends_with("_eq")) name += kSuffix;
  return name;
}

}  // namespace torchweld::fusion
