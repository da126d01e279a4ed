#pragma once

#include <string>
#include <vector>

namespace torchweld::testing {

/// A region as text, and what it is there to show.
struct NamedRegion {
  std::string name;
  std::string region;
};

/// Regions that between them reach every schedule, access pattern and kind of end.
[[nodiscard]] std::vector<NamedRegion> pointwise_regions();
[[nodiscard]] std::vector<NamedRegion> row_regions();
/// Reductions over strided dims whose neighbours are kept.
[[nodiscard]] std::vector<NamedRegion> column_regions();
/// Reductions with few results, large enough for four multiprocessors to share.
[[nodiscard]] std::vector<NamedRegion> split_regions();
/// Regions in which NaN and infinity matter, to be run with them.
[[nodiscard]] std::vector<NamedRegion> special_value_regions();

}  // namespace torchweld::testing
