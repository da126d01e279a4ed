#pragma once

#include <atomic>

#include "runtime/compile_pool.h"
#include "runtime/kernel_store.h"
#include "runtime/plan_table.h"
#include "runtime/region.h"
#include "runtime/region_body.h"
#include "runtime/region_registry.h"

namespace torchweld::runtime {

/// All that regions share in this process. Made at the first use and never destroyed, since calls may come while the
/// process ends.
class Runtime {
public:
  static Runtime& get();

  [[nodiscard]] Translator translator() const { return translator_.load(std::memory_order_acquire); }
  void set_translator(Translator translator) { translator_.store(translator, std::memory_order_release); }

  /// True: every call runs the original nodes. Initially TORCHWELD_OFF=1.
  [[nodiscard]] bool off() const { return off_.load(std::memory_order_relaxed); }
  void set_off(bool off) { off_.store(off, std::memory_order_relaxed); }

  RegionBodies bodies;
  RegionRegistry regions;
  CompilePool pool;
  KernelStore kernels;
  PlanTable plans;

private:
  Runtime();

  std::atomic<Translator> translator_ = nullptr;
  std::atomic<bool> off_ = false;
};

}  // namespace torchweld::runtime
