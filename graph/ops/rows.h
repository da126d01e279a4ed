#pragma once

#include <span>
#include <string_view>

#include "graph/functions.h"
#include "graph/op.h"

/// The families of the op table, one file each, and the checks that each runs on itself when it is compiled.
namespace torchweld::graph {

[[nodiscard]] std::span<const Op> arithmetic_rows();
[[nodiscard]] std::span<const Op> activation_form_rows();
[[nodiscard]] std::span<const Op> activation_rows();
[[nodiscard]] std::span<const Op> cast_rows();
[[nodiscard]] std::span<const Op> comparison_rows();
[[nodiscard]] std::span<const Op> creation_rows();
[[nodiscard]] std::span<const Op> join_rows();
[[nodiscard]] std::span<const Op> loss_rows();
[[nodiscard]] std::span<const Op> norm_rows();
[[nodiscard]] std::span<const Op> number_rows();
[[nodiscard]] std::span<const Op> pointwise_form_rows();
[[nodiscard]] std::span<const Op> primitive_rows();
[[nodiscard]] std::span<const Op> rearrangement_rows();
[[nodiscard]] std::span<const Op> reduction_rows();
[[nodiscard]] std::span<const Op> scalar_rows();
[[nodiscard]] std::span<const Op> softmax_rows();
[[nodiscard]] std::span<const Op> split_rows();
[[nodiscard]] std::span<const Op> vector_norm_rows();
[[nodiscard]] std::span<const Op> view_rows();

/// A composite whose results may be the memory of operand 0.
constexpr Composite view_composite(InferTypes infer, Decompose decompose) { return {infer, decompose, false, true}; }

constexpr bool sorted_and_unique(std::span<const Op> rows) {
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (!(rows[i - 1].name < rows[i].name)) return false;
  return true;
}

/// The number of arguments of the call whose "(" is at `open`.
constexpr int arity_at(std::string_view text, std::size_t open) {
  int depth = 0;
  int commas = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return commas + 1;
    if (text[i] == ',' && depth == 1) ++commas;
  }
  return -1;  // not closed
}

/// Every name in `text` is a function of graph/functions.h called with its number of operands, or T.
constexpr bool well_formed(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '$' && (i + 1 == text.size() || text[i + 1] < '0' || text[i + 1] > '9')) return false;
    if (!is_letter(text[i])) continue;
    std::size_t end = i;
    while (end < text.size() && (is_letter(text[end]) || (text[end] >= '0' && text[end] <= '9'))) ++end;
    const std::string_view name = text.substr(i, end - i);
    const int arity = name == "T" ? 1 : arity_of(name);
    if (arity < 0 || end == text.size() || text[end] != '(' || arity_at(text, end) != arity) return false;
    i = end;
    if (name == "T") i = text.find(')', end);  // a literal such as T(1e-5) has letters of its own
  }
  return true;
}

constexpr bool well_formed(std::span<const Op> rows) {
  if (!sorted_and_unique(rows)) return false;
  for (const Op& row : rows)
    if (const Expr* expr = std::get_if<Expr>(&row.body); expr && !well_formed(expr->text)) return false;
  return true;
}

}  // namespace torchweld::graph
