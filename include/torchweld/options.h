#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace torchweld {

/// Where fused calls may run. A call whose tensors live elsewhere runs the region's original nodes.
enum class FuseOn : std::uint8_t { any, cpu, cuda };

/// How 16-bit values are computed: `fp32` rounds when a kernel stores, `eager` after every op as eager does.
enum class Numerics : std::uint8_t { fp32, eager };

/// What a call does when its kernel is not compiled yet.
enum class Mode : std::uint8_t {
  block,        ///< compiles, then runs the kernel
  background,   ///< runs the original nodes until the kernel is ready
  cached_only,  ///< never compiles: runs the original nodes when no cache holds the kernel
};

struct Options {
  FuseOn device = FuseOn::any;
  Numerics numerics = Numerics::fp32;
  Mode mode = Mode::block;
  /// Weights that require grad do not force a fallback; any other input that does (with grad mode on) still does.
  bool inference = true;
  /// Errors of ours are thrown instead of falling back.
  bool strict = false;
  /// A region with fewer nodes stays as it was, unless one of them is a composite (softmax, layer_norm, ...). A node
  /// alone saves no bytes, and costs nothing either: on an H200 relu, silu and batch_norm of 16384 elements take the
  /// host 10, 11 and 18 us as kernels of ours and 10, 12 and 53 us as TorchScript's, and as long as a copy when they
  /// are large.
  int min_region_nodes = 1;
  /// Target of the CUDA compiler ("sm_90"); empty for the device's own.
  std::string arch;
  /// Folder of compiled kernels; empty for $TORCHWELD_CACHE_DIR, else ${XDG_CACHE_HOME:-~/.cache}/torchweld/kernels.
  std::string cache_dir;

  bool operator==(const Options&) const = default;
};

/// Options from names and values as a shell or Python passes them ({"numerics", "eager"}); what is not named keeps its
/// default. Throws Error naming the option, what was found and what was expected.
[[nodiscard]] Options options_from_strings(const std::map<std::string, std::string>& named);
/// The inverse: every option by name.
[[nodiscard]] std::map<std::string, std::string> strings_from_options(const Options& options);

}  // namespace torchweld
