#pragma once

#include <string>

#include "codegen/kernel.h"
#include "report/report.h"

namespace torchweld::report {

/// What planning recorded for one signature; the kernels' resources are left out.
[[nodiscard]] Plan plan_from(const codegen::Program& program);

/// "f32[4,512]", with strides when not contiguous; "f64" for a number.
[[nodiscard]] std::string type_text(const graph::Type& type);

}  // namespace torchweld::report
