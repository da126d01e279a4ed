#pragma once

#include <c10/core/ScalarType.h>

#include <optional>

#include "graph/types.h"

namespace torchweld::runtime {

/// Ours for LibTorch's dtype; empty for one that we have no word for.
[[nodiscard]] constexpr std::optional<graph::DType> dtype_from(c10::ScalarType type) {
  switch (type) {
  case c10::ScalarType::Double:
    return graph::DType::f64;
  case c10::ScalarType::Float:
    return graph::DType::f32;
  case c10::ScalarType::Half:
    return graph::DType::f16;
  case c10::ScalarType::BFloat16:
    return graph::DType::bf16;
  case c10::ScalarType::Long:
    return graph::DType::i64;
  case c10::ScalarType::Int:
    return graph::DType::i32;
  case c10::ScalarType::Short:
    return graph::DType::i16;
  case c10::ScalarType::Char:
    return graph::DType::i8;
  case c10::ScalarType::Byte:
    return graph::DType::u8;
  case c10::ScalarType::Bool:
    return graph::DType::b8;
  default:
    return std::nullopt;
  }
}

/// LibTorch's dtype for ours.
[[nodiscard]] constexpr c10::ScalarType scalar_type_of(graph::DType dtype) {
  for (int i = 0; i < static_cast<int>(c10::ScalarType::NumOptions); ++i)
    if (dtype_from(static_cast<c10::ScalarType>(i)) == dtype) return static_cast<c10::ScalarType>(i);
  return c10::ScalarType::Undefined;
}

}  // namespace torchweld::runtime
