#include "runtime/argument_block.h"

#include <cstring>

#include "torchweld/error.h"

namespace torchweld::runtime {
namespace {

template <class T>
void write(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

/// Appends room for a value of `bytes` bytes at its natural alignment, and notes it as the next argument.
std::uint32_t append(Step& step, std::size_t bytes, std::size_t alignment) {
  const auto at = (step.block.size() + alignment - 1) / alignment * alignment;
  step.block.resize(at + bytes);
  step.arguments.push_back(static_cast<std::uint32_t>(at));
  return static_cast<std::uint32_t>(at);
}

struct Packer {
  Step& step;
  const FindBuffer& find_buffer;
  const FindInput& find_input;
  const FindPartial& find_partial;

  void operator()(const codegen::PointerArgument& argument) const {
    point_to(find_buffer(argument.value), argument.byte_offset);
  }
  void operator()(const codegen::PartialArgument& argument) const { point_to(find_partial(), argument.byte_offset); }
  void point_to(BufferIndex buffer, std::int64_t byte_offset) const {
    buffer.offset += byte_offset;
    step.pointers.push_back({append(step, sizeof(void*), alignof(void*)), buffer});
  }
  void operator()(const codegen::IntArgument& argument) const {
    const auto bytes = static_cast<std::size_t>(argument.bytes);
    ensure(bytes == 4 || bytes == 8, "an int argument has 4 or 8 bytes");
    const auto at = append(step, bytes, bytes);
    if (bytes == 4)
      write(step.block.data() + at, static_cast<std::uint32_t>(argument.value));
    else
      write(step.block.data() + at, argument.value);
  }
  void operator()(const codegen::NumberArgument& argument) const {
    const auto bytes = static_cast<std::size_t>(graph::size_of(argument.dtype));
    const auto at = append(step, bytes, bytes);
    const auto& held = argument.number.held;
    if (const auto* value = std::get_if<graph::Value>(&held)) {
      step.numbers.push_back({at, argument.dtype, find_input(*value)});
    } else {
      const auto write_literal = [&](const auto& literal) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(literal)>, graph::Value>)
          write_number(step.block.data() + at, argument.dtype, literal);
      };
      std::visit(write_literal, held);
    }
  }
  void operator()(const codegen::DivisorArgument& argument) const {
    const auto at = append(step, sizeof(codegen::DivisorBytes), alignof(codegen::DivisorBytes));
    write(step.block.data() + at, codegen::divisor_bytes(argument.divisor));
  }
};

}  // namespace

void write_number(std::byte* at, graph::DType dtype, const std::variant<std::int64_t, double, bool>& number) {
  const auto convert = [&](auto value) {
    switch (dtype) {
    case graph::DType::f32:
      return write(at, static_cast<float>(value));
    case graph::DType::f64:
      return write(at, static_cast<double>(value));
    case graph::DType::i64:
      return write(at, static_cast<std::int64_t>(value));
    case graph::DType::b8:
      return write(at, static_cast<bool>(value));
    default:
      throw InternalError("does not hold: a number argument is f32, f64, i64 or bool");
    }
  };
  std::visit(convert, number);
}

void pack_arguments(Step& step, const std::vector<codegen::Argument>& arguments, const FindBuffer& find_buffer,
                    const FindInput& find_input, const FindPartial& find_partial) {
  for (const auto& argument : arguments) std::visit(Packer{step, find_buffer, find_input, find_partial}, argument);
}

}  // namespace torchweld::runtime
