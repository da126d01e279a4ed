#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

// Texts of small regions, for the tables of cases.

namespace torchweld::testing {

inline std::string swish(std::string_view type) {
  return fmt::format(R"(graph(%x: {}):
    %s: tensor = aten::sigmoid(%x)
    %y: tensor = aten::mul.Tensor(%x, %s)
    return %y)",
                     type);
}

inline std::string add(std::string_view a, std::string_view b) {
  return fmt::format(R"(graph(%a: {}, %b: {}):
    %y: tensor = aten::add.Tensor(%a, %b, 1)
    return %y)",
                     a, b);
}

inline std::string softmax(std::string_view type, int dim) {
  return fmt::format(R"(graph(%x: {}):
    %y: tensor = aten::softmax.int(%x, {}, None)
    return %y)",
                     type, dim);
}

inline std::string layer_norm(std::string_view dtype, int rows, int columns) {
  return fmt::format(R"(graph(%x: {0}[{1},{2}], %r: {0}[{1},{2}], %b: {0}[{2}], %w: {0}[{2}], %c: {0}[{2}]):
    %a: tensor = aten::add.Tensor(%x, %b, 1)
    %d: tensor = aten::add.Tensor(%a, %r, 1)
    %y: tensor = aten::layer_norm(%d, [{2}], %w, %c, 0.00001, True)
    return %y)",
                     dtype, rows, columns);
}

inline std::string reduction(std::string_view type, std::string_view call) {
  return fmt::format(R"(graph(%x: {}):
    %y: tensor = {}
    return %y)",
                     type, call);
}

inline std::string log_sum_exp(std::string_view type, int dim) {
  return fmt::format(R"(graph(%x: {0}):
    %m: tensor = aten::amax(%x, [{1}], True)
    %d: tensor = aten::sub.Tensor(%x, %m, 1)
    %e: tensor = aten::exp(%d)
    %s: tensor = aten::sum.dim_IntList(%e, [{1}], True, None)
    %l: tensor = aten::log(%s)
    %y: tensor = aten::add.Tensor(%l, %m, 1)
    return %y)",
                     type, dim);
}

}  // namespace torchweld::testing
