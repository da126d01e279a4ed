#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/input_spec.h"

namespace torchweld::cli {

/// The values that `specs` describe, on the host; the same for the same seed.
[[nodiscard]] std::vector<c10::IValue> make_inputs(std::span<const InputSpec> specs, std::uint64_t seed);

/// The elements of a tuple saved by `torch.save` or `torch::pickle_save`. Throws Error naming `path` when it is
/// missing, is not such a file, or holds no tuple.
[[nodiscard]] std::vector<c10::IValue> load_inputs(const std::string& path);

/// A copy of `value` whose tensors are copies too, on `device`.
[[nodiscard]] c10::IValue copy_to(const c10::IValue& value, c10::Device device);

}  // namespace torchweld::cli
