#include "runtime/region_registry.h"

namespace torchweld::runtime {

void RegionRegistry::add(const Region* region) {
  const std::lock_guard lock(mutex_);
  alive_.insert(region);
}

void RegionRegistry::remove(const Region* region) {
  const std::lock_guard lock(mutex_);
  alive_.erase(region);
}

std::int64_t RegionRegistry::plan_key(const std::string& text, const Options& options) {
  // What a call does beside its plan (strict, inference) and what happens before it (min_region_nodes) is left out.
  Options reaching = options;
  reaching.strict = false;
  reaching.inference = true;
  reaching.min_region_nodes = 0;
  std::string key;
  for (const auto& [name, value] : strings_from_options(reaching))
    key.append(name).append("=").append(value).append("\n");
  key += text;
  const std::lock_guard lock(mutex_);
  return plan_keys_.try_emplace(std::move(key), static_cast<std::int64_t>(plan_keys_.size())).first->second;
}

}  // namespace torchweld::runtime
