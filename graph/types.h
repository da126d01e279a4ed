#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace torchweld::graph {

/// Element types, in the words of the command line: f64 f32 f16 bf16 i64 i32 i16 i8 u8 bool.
enum class DType : std::uint8_t { f64, f32, f16, bf16, i64, i32, i16, i8, u8, b8 };

/// Size of one element in bytes.
[[nodiscard]] int size_of(DType dtype);
/// "f64", ..., "bool".
[[nodiscard]] std::string_view name_of(DType dtype);
/// The inverse of name_of; empty for an unknown name.
[[nodiscard]] std::optional<DType> dtype_from_name(std::string_view name);
/// TorchScript's code of a dtype (c10::ScalarType); empty for a code without a DType, such as complex or quantized.
[[nodiscard]] std::optional<DType> dtype_from_code(std::int64_t code);
[[nodiscard]] std::int64_t code_of(DType dtype);
[[nodiscard]] bool is_floating(DType dtype);
/// Integers and bool.
[[nodiscard]] bool is_integral(DType dtype);
/// The dtype arithmetic is done in: f32 for 16-bit floats, otherwise the dtype itself.
[[nodiscard]] DType compute_dtype(DType dtype);

enum class Device : std::uint8_t { host, cuda };

/// The device that a region runs on.
struct Place {
  Device device = Device::host;
  int index = 0;           ///< of the cuda device
  bool is_current = true;  ///< the cuda device is the calling thread's current one, which "cuda" alone means
  bool operator==(const Place&) const = default;
};
/// `device` of `place` as TorchScript spells it: "cpu", "cuda:0".
[[nodiscard]] std::string device_text(const Place& place, Device device);

/// Sizes or strides, in elements, slowest dim first as in PyTorch.
using Dims = std::vector<std::int64_t>;

/// Alignment in bytes of every buffer we allocate, and the width of one vector access.
inline constexpr int kVectorBytes = 16;

struct TensorType {
  DType dtype = DType::f32;
  Dims sizes;
  Dims strides;                  ///< in elements, as eager gives them; same length as sizes
  Device device = Device::host;  ///< a 0-dim host tensor may meet cuda tensors: its value travels as an argument
  int alignment = kVectorBytes;  ///< the base address is a multiple of this many bytes; at least the element size
  bool wrapped_number = false;   ///< a 0-dim tensor that came from a number: promotes like one

  [[nodiscard]] std::int64_t rank() const { return static_cast<std::int64_t>(sizes.size()); }
  bool operator==(const TensorType&) const = default;
};

/// A number: dtype is i64, f64 or bool.
struct ScalarType {
  DType dtype = DType::i64;
  bool operator==(const ScalarType&) const = default;
};

/// What is known of a value. Before inference a tensor is an UntypedTensor.
struct UntypedTensor {
  bool operator==(const UntypedTensor&) const = default;
};
/// A list of ints or of tensors built inside a region; it exists only before inference.
struct ListType {
  bool operator==(const ListType&) const = default;
};

using Type = std::variant<UntypedTensor, TensorType, ScalarType, ListType>;

/// Number of elements.
[[nodiscard]] std::int64_t numel(const Dims& sizes);
/// numel times the element size; a tensor with a stride of 0 counts each element of memory once.
[[nodiscard]] std::int64_t bytes_of(const TensorType& type);
/// Row-major strides of `sizes` (a dim of size 0 counts as 1, as in PyTorch).
[[nodiscard]] Dims contiguous_strides(const Dims& sizes);

}  // namespace torchweld::graph
