#include "codegen/arguments.h"

#include <algorithm>

#include "codegen/expression.h"
#include "codegen/text.h"

namespace torchweld::codegen {

using graph::DType;

bool Arguments::declare(std::string_view type, const std::string& name, Argument argument) {
  for (const Parameter& parameter : parameters_)
    if (parameter.name == name) return false;
  parameters_.push_back({std::string(type), name});
  arguments_.push_back(argument);
  return true;
}

std::string Arguments::pointer(const fusion::Access& access, std::string name, bool written) {
  declare(join(written ? "" : "const ", memory_type(access.dtype), '*'), name,
          PointerArgument{access.value, access.offset * graph::size_of(access.dtype)});
  return name;
}

std::string Arguments::partial(std::string_view state, std::string name, std::int64_t byte_offset, bool written) {
  declare(join(written ? "" : "const ", state, '*'), name, PartialArgument{byte_offset});
  return name;
}

std::string Arguments::integer(std::string name, std::int64_t value, int bytes) {
  declare(bytes == 8 ? "i64" : "unsigned", name, IntArgument{value, bytes});
  return name;
}

std::string Arguments::divisor(std::string name, std::int64_t value, bool wide) {
  value = std::max<std::int64_t>(value, 1);
  if (wide) return integer(std::move(name), value, 8);
  declare("Divisor", name, DivisorArgument{static_cast<std::uint32_t>(value)});
  return name;
}

std::string Arguments::number(const fusion::Number& number, DType compute) {
  compute = graph::compute_dtype(compute);
  const bool narrow = compute == DType::i32 || compute == DType::i16 || compute == DType::i8 || compute == DType::u8;
  const DType passed = narrow ? DType::i64 : compute;
  std::string name = join('c', numbers_++);
  declare(memory_type(passed), name, NumberArgument{passed, number});
  return converted(std::move(name), passed, compute);
}

}  // namespace torchweld::codegen
