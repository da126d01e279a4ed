#pragma once

#include <c10/util/ArrayRef.h>
#include <c10/util/SmallVector.h>

#include <cstdint>
#include <optional>
#include <string>

#include "graph/passes.h"
#include "runtime/call.h"
#include "runtime/fallback_reason.h"

namespace torchweld::runtime {

/// All that a plan depends on, as words: the region's plan key, thread state, then for each tensor its dtype, device,
/// alignment, sizes and strides, and for each number its dtype and, where planning needs it, its value. Two calls with
/// equal words may share a plan.
using Signature = c10::SmallVector<std::int64_t, 160>;

/// XXH3 of the words.
[[nodiscard]] std::uint64_t hash_of(c10::ArrayRef<std::int64_t> words);

/// Writes the signature of a call into `words`, or says why no plan can serve it. Reads raw sizes and strides;
/// allocates only beyond 160 words.
[[nodiscard]] std::optional<FallbackReason> read_signature(const Call& call, Signature& words);

/// The device that a call runs on: that of its tensors with a dim, else that of its tensors.
struct CallDevice {
  graph::Device device = graph::Device::host;
  int index = 0;  ///< of the cuda device
  bool operator==(const CallDevice&) const = default;
};
[[nodiscard]] CallDevice device_of(const Call& call);

/// What planning is told of a call whose signature could be read.
[[nodiscard]] graph::CallFacts facts_of(const Call& call);

/// "f32[4,128] f32[128] 3": what reports call a signature.
[[nodiscard]] std::string text_of(const graph::CallFacts& facts);

}  // namespace torchweld::runtime
