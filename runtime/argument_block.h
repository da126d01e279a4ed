#pragma once

#include <functional>

#include "runtime/launch_plan.h"

namespace torchweld::runtime {

/// Where the memory of a value lies; throws InternalError for a value that has none.
using FindBuffer = std::function<BufferIndex(graph::Value)>;
/// The position of a value among the region's inputs.
using FindInput = std::function<std::uint32_t(graph::Value)>;

/// Where the partial results lie that this kernel writes, or combines.
using FindPartial = std::function<BufferIndex()>;

/// Fills a step's argument block from a kernel's arguments: sizes, divisors and literal numbers are written, addresses
/// and the call's numbers become patches.
void pack_arguments(Step& step, const std::vector<codegen::Argument>& arguments, const FindBuffer& find_buffer,
                    const FindInput& find_input, const FindPartial& find_partial);

/// Writes `number` to `at` as a value of `dtype` (f32, f64, i64 or bool).
void write_number(std::byte* at, graph::DType dtype, const std::variant<std::int64_t, double, bool>& number);

}  // namespace torchweld::runtime
