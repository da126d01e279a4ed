#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace torchweld::runtime {

/// Why a call ran the region's original nodes. Never an error: it is counted, and reports show it.
enum class FallbackReason : std::uint8_t {
  off,               ///< TORCHWELD_OFF=1
  device,            ///< the option `device` excludes where the tensors live
  dtype,             ///< a dtype without kernels
  layout,            ///< strides that kernels do not take
  device_mix,        ///< tensors of two devices
  needs_gradient,    ///< grad mode is on and an input that is no weight requires grad
  autocast,          ///< autocast is on
  dispatch_key,      ///< a tensor or the thread has a key beyond dense, autograd and views: conjugate, functorch, ...
  eager_refuses,     ///< eager itself raises for these inputs
  op_form,           ///< a use of an op that planning does not know
  writes,            ///< the region writes into its arguments
  too_large,         ///< a size or an argument list beyond the limits
  compile_failed,    ///< the kernel compiler refused the text
  no_compiler,       ///< no kernel compiler was found
  cached_only_miss,  ///< mode cached_only, and no cache holds the kernel
  not_ready,         ///< mode background, and the kernel is still being compiled
  capturing,         ///< a stream is being captured and the kernel is not loaded
  internal_error,    ///< an error of ours
};
inline constexpr std::size_t kNumFallbackReasons = static_cast<std::size_t>(FallbackReason::internal_error) + 1;

[[nodiscard]] std::string_view name_of(FallbackReason reason);
/// The reason for a graph::Unsupported; op_form for one that has no name here.
[[nodiscard]] FallbackReason reason_from_unsupported(std::string_view reason);

/// How often a region was called, and how often it fell back.
struct RegionCounters {
  std::atomic<std::uint64_t> calls = 0;
  std::array<std::atomic<std::uint64_t>, kNumFallbackReasons> fallbacks{};

  void count(FallbackReason reason) {
    fallbacks[static_cast<std::size_t>(reason)].fetch_add(1, std::memory_order_relaxed);
  }
};

}  // namespace torchweld::runtime
