#include "graph/types.h"

#include <algorithm>
#include <array>

#include "torchweld/error.h"

namespace torchweld::graph {
namespace {

struct DTypeRow {
  DType dtype;
  std::string_view name;
  int size;
  std::int64_t code;  ///< c10::ScalarType, fixed by saved files
  bool floating;
};

/// In the order of DType.
constexpr std::array kDTypes{
    DTypeRow{DType::f64, "f64", 8, 7, true},  DTypeRow{DType::f32, "f32", 4, 6, true},
    DTypeRow{DType::f16, "f16", 2, 5, true},  DTypeRow{DType::bf16, "bf16", 2, 15, true},
    DTypeRow{DType::i64, "i64", 8, 4, false}, DTypeRow{DType::i32, "i32", 4, 3, false},
    DTypeRow{DType::i16, "i16", 2, 2, false}, DTypeRow{DType::i8, "i8", 1, 1, false},
    DTypeRow{DType::u8, "u8", 1, 0, false},   DTypeRow{DType::b8, "bool", 1, 11, false},
};

const DTypeRow& row_of(DType dtype) { return kDTypes[static_cast<std::size_t>(dtype)]; }

template <typename Matches>
std::optional<DType> find_dtype(Matches matches) {
  const auto* row = std::find_if(kDTypes.begin(), kDTypes.end(), matches);
  if (row == kDTypes.end()) return std::nullopt;
  return row->dtype;
}

}  // namespace

int size_of(DType dtype) { return row_of(dtype).size; }
std::string_view name_of(DType dtype) { return row_of(dtype).name; }
std::int64_t code_of(DType dtype) { return row_of(dtype).code; }
bool is_floating(DType dtype) { return row_of(dtype).floating; }
bool is_integral(DType dtype) { return !is_floating(dtype); }

std::optional<DType> dtype_from_name(std::string_view name) {
  return find_dtype([&](const DTypeRow& row) { return row.name == name; });
}

std::optional<DType> dtype_from_code(std::int64_t code) {
  return find_dtype([&](const DTypeRow& row) { return row.code == code; });
}

DType compute_dtype(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16 ? DType::f32 : dtype; }

std::string device_text(const Place& place, Device device) {
  return device == Device::host ? "cpu" : "cuda:" + std::to_string(place.index);
}

std::int64_t numel(const Dims& sizes) {
  std::uint64_t product = 1;  // wraps: inference refuses such sizes, but must be able to print them
  for (const std::int64_t size : sizes) product *= static_cast<std::uint64_t>(size);
  return static_cast<std::int64_t>(product);
}

std::int64_t bytes_of(const TensorType& type) {
  std::int64_t elements = 1;
  for (std::size_t dim = 0; dim < type.sizes.size(); ++dim)
    if (type.sizes[dim] == 0 || type.strides[dim] != 0) elements *= type.sizes[dim];
  return elements * size_of(type.dtype);
}

Dims contiguous_strides(const Dims& sizes) {
  Dims strides(sizes.size());
  std::uint64_t stride = 1;  // wraps, as in numel()
  for (std::size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(std::max<std::int64_t>(sizes[dim], 1));
  }
  return strides;
}

}  // namespace torchweld::graph
