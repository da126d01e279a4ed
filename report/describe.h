#pragma once

#include <ATen/core/ivalue.h>

#include <string>

namespace torchweld::report {

/// "f32[1,512]", "16000", "true"; containers as "(f32[2], 3)".
[[nodiscard]] std::string describe(const c10::IValue& value);

/// The inputs of a call: "f32[1,512] 16000".
[[nodiscard]] std::string describe_inputs(c10::ArrayRef<c10::IValue> inputs);

}  // namespace torchweld::report
