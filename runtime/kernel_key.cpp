#include "runtime/kernel_key.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <string_view>

#include "runtime/nvrtc.h"

namespace torchweld::runtime {

KernelKey key_of(const KernelSource& source) {
  const bool cuda = source.backend == codegen::Backend::cuda;
  const auto options = cuda ? nvrtc_options() : std::string{};
  std::string all;
  for (const std::string_view part :
       {std::string_view(cuda ? "cuda" : "host"), std::string_view(source.target), std::string_view(options),
        codegen::prelude(source.backend), std::string_view(source.text)})
    all.append(std::to_string(part.size())).append(":").append(part);
  const auto hash = XXH3_128bits(all.data(), all.size());
  return {hash.high64, hash.low64};
}

std::string text_of(const KernelKey& key) { return fmt::format("{:016x}{:016x}", key.high, key.low); }

}  // namespace torchweld::runtime
