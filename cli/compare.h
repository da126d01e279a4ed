#pragma once

#include <ATen/core/ivalue.h>

#include <optional>
#include <string>
#include <vector>

namespace torchweld::cli {

/// One tensor or number of a call's result, against TorchScript's.
struct Comparison {
  std::string name;  ///< "output 0", "output 1.2" inside a container, "output 1[key]"
  std::string type;  ///< "f32[1,512]"
  double error = 0;  ///< largest |ours - theirs| over the largest |theirs|; infinite where one is NaN and not the other
  double allowed = 0;   ///< what error may be at most
  std::string problem;  ///< a difference that is no number: dtype, sizes, structure; empty when there is none
  [[nodiscard]] bool ok() const { return problem.empty() && error <= allowed; }
};

/// The error allowed by default: 1e-4 for f32, 2e-2 for 16-bit floats, 1e-7 for f64, none for integers.
[[nodiscard]] double default_tolerance(c10::ScalarType dtype);

/// Compares two results leaf by leaf. `tolerance` replaces the default of every floating dtype.
[[nodiscard]] std::vector<Comparison> compare(const c10::IValue& ours, const c10::IValue& theirs,
                                              std::optional<double> tolerance);

}  // namespace torchweld::cli
