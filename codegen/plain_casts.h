#pragma once

#include "fusion/group.h"

namespace torchweld::codegen {

/// The group without casts that do nothing in a register: between dtypes held alike ("bf16" to "f32"), and to the
/// 16-bit dtype that all users store anyway.
[[nodiscard]] fusion::Group drop_plain_casts(const fusion::Group& group);

}  // namespace torchweld::codegen
