#include <algorithm>
#include <unordered_map>
#include <vector>

#include "graph/op.h"
#include "graph/ops/rows.h"
#include "torchweld/error.h"

namespace torchweld::graph {
namespace {

std::vector<Op> collect_rows() {
  std::vector<Op> rows;
  for (const auto family : {activation_form_rows(), activation_rows(), arithmetic_rows(), cast_rows(),
                            comparison_rows(), creation_rows(), join_rows(), loss_rows(), norm_rows(), number_rows(),
                            pointwise_form_rows(), primitive_rows(), rearrangement_rows(), reduction_rows(),
                            scalar_rows(), softmax_rows(), split_rows(), vector_norm_rows(), view_rows()})
    rows.insert(rows.end(), family.begin(), family.end());
  std::sort(rows.begin(), rows.end(), [](const Op& a, const Op& b) { return a.name < b.name; });
  ensure(sorted_and_unique(rows), "an op has one row");
  return rows;
}

const std::vector<Op>& all_rows() {
  static const std::vector<Op> kRows = collect_rows();
  return kRows;
}

}  // namespace

std::span<const Op> ops() { return all_rows(); }

const Op* find_op(std::string_view name) {
  static const auto kByName = [] {
    std::unordered_map<std::string_view, const Op*> map;
    for (const Op& row : all_rows()) map.emplace(row.name, &row);
    return map;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? nullptr : found->second;
}

}  // namespace torchweld::graph
