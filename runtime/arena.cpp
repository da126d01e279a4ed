#include "runtime/arena.h"

#include <algorithm>
#include <numeric>

namespace torchweld::runtime {
namespace {

/// As the CUDA allocator aligns; a multiple of every vector width.
constexpr std::int64_t kAlignment = 256;

bool overlap(const Lifetime& a, const Lifetime& b) {
  return a.first_step <= b.last_step && b.first_step <= a.last_step;
}

}  // namespace

ArenaLayout lay_out(const std::vector<Lifetime>& values) {
  ArenaLayout layout;
  layout.offsets.resize(values.size());
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a].bytes > values[b].bytes; });
  // The largest first, each at the lowest place that is free for its whole lifetime.
  std::vector<std::size_t> placed;  // by offset
  for (const auto value : order) {
    std::int64_t offset = 0;
    for (const auto other : placed) {
      if (!overlap(values[value], values[other])) continue;
      if (offset + values[value].bytes <= layout.offsets[other]) break;
      const auto end = layout.offsets[other] + values[other].bytes;
      offset = std::max(offset, (end + kAlignment - 1) / kAlignment * kAlignment);
    }
    layout.offsets[value] = offset;
    layout.bytes = std::max(layout.bytes, offset + values[value].bytes);
    const auto behind =
        std::find_if(placed.begin(), placed.end(), [&](std::size_t other) { return layout.offsets[other] > offset; });
    placed.insert(behind, value);
  }
  return layout;
}

}  // namespace torchweld::runtime
