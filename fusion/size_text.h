#pragma once

#include <string>

#include "graph/types.h"

namespace torchweld::fusion {

/// "[2,3]".
[[nodiscard]] inline std::string text_of(const graph::Dims& dims) {
  std::string text = "[";
  for (std::size_t dim = 0; dim < dims.size(); ++dim) text += (dim == 0 ? "" : ",") + std::to_string(dims[dim]);
  return text + "]";
}

}  // namespace torchweld::fusion
