#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/collect.h"

namespace torchweld::report {

/// A generated kernel. Equal texts are one kernel.
struct KernelText {
  std::string name;
  std::string schedule;
  std::string region;  ///< the first that uses it
  std::string text;    ///< without the prelude
  std::optional<Resources> resources;
  std::string cubin;  ///< for a CUDA target that was asked for
};

/// The kernels of the plans of `regions`. `target`: empty for those that ran; "cpp" for C++; "sm_90" and the like for
/// CUDA, compiled by NVRTC to learn their resources, which needs no GPU. Throws Error for another target.
[[nodiscard]] std::vector<KernelText> kernel_texts(const std::vector<CollectedRegion>& regions,
                                                   const std::string& target);

/// A JSON list of them.
[[nodiscard]] std::string json_of(const std::vector<KernelText>& kernels);

}  // namespace torchweld::report
