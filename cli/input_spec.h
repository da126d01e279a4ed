#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "graph/types.h"

namespace torchweld::cli {

/// A tensor to fill with seeded random values: normal for floats, uniform in low..high (both included) for integers.
struct TensorSpec {
  graph::DType dtype = graph::DType::f32;
  graph::Dims sizes;
  std::int64_t low = 0;
  std::int64_t high = 1;
  bool operator==(const TensorSpec&) const = default;
};

/// One `--input`.
using InputSpec = std::variant<TensorSpec, std::int64_t, double, bool>;

/// Parses `f32[1,512]`, `i64[2,77]:0..30521`, `16000`, `0.5`, `true`. Throws Error that quotes `text` and says what was
/// found and what was expected.
[[nodiscard]] InputSpec parse_input(std::string_view text);

/// The inverse: what a person would have typed.
[[nodiscard]] std::string to_text(const InputSpec& spec);

}  // namespace torchweld::cli
