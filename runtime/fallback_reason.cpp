#include "runtime/fallback_reason.h"

namespace torchweld::runtime {
namespace {

constexpr std::array<std::string_view, kNumFallbackReasons> kNames{"off",
                                                                   "device",
                                                                   "dtype",
                                                                   "layout",
                                                                   "device_mix",
                                                                   "needs_gradient",
                                                                   "autocast",
                                                                   "dispatch_key",
                                                                   "eager_refuses",
                                                                   "op_form",
                                                                   "writes",
                                                                   "too_large",
                                                                   "compile_failed",
                                                                   "no_compiler",
                                                                   "cached_only_miss",
                                                                   "not_ready",
                                                                   "capturing",
                                                                   "internal_error"};

}  // namespace

std::string_view name_of(FallbackReason reason) { return kNames[static_cast<std::size_t>(reason)]; }

FallbackReason reason_from_unsupported(std::string_view reason) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == reason) return static_cast<FallbackReason>(i);
  return FallbackReason::op_form;
}

}  // namespace torchweld::runtime
