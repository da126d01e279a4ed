#include "runtime/execute.h"

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <utility>

#include "runtime/build_plan.h"
#include "runtime/call.h"
#include "runtime/cuda_launch.h"
#include "runtime/fallback_reason.h"
#include "runtime/launch.h"
#include "runtime/runtime.h"
#include "torchweld/error.h"

namespace torchweld::runtime {
namespace {

/// Ours to mend, so that `strict` throws instead of falling back.
bool is_our_fault(FallbackReason reason) {
  return reason == FallbackReason::internal_error || reason == FallbackReason::compile_failed;
}

c10::List<at::Tensor> fall_back(const Call& call, FallbackReason reason, const std::string& details = {}) {
  call.region.counters().count(reason);
  if (is_our_fault(reason) && call.region.state().options.strict)
    throw InternalError(fmt::format("torchweld::execute: {}: {}", name_of(reason), details));
  if (reason == FallbackReason::needs_gradient) {
    TORCH_WARN_ONCE(
        "torchweld: an input that is no weight requires grad and grad mode is on, so the original nodes run; "
        "call the module under torch.no_grad() or torch.inference_mode()");
  } else if (reason == FallbackReason::no_compiler) {
    TORCH_WARN_ONCE("torchweld: the original nodes run: ", details);
  }
  return run_original(call);
}

c10::List<at::Tensor> launch_or_fall_back(const LaunchPlan& plan, const Call& call) {
  plan.calls.fetch_add(1, std::memory_order_relaxed);
  if (plan.refusal) return fall_back(call, plan.refusal->reason, plan.refusal->details);
  return launch(plan, call);
}

/// The plan of a signature that the table does not hold yet; null with a reason where none is to be had now.
std::shared_ptr<const LaunchPlan> obtain_plan(const Call& call, const Signature& words, FallbackReason& reason) {
  auto& runtime = Runtime::get();
  const auto& options = call.region.state().options;
  PlanRequest request{call.region.shared_body(), call.region.plan_key(), options, device_of(call), facts_of(call)};
  if (request.device.device == graph::Device::cuda && is_capturing(request.device)) {
    reason = FallbackReason::capturing;
    return nullptr;
  }
  const auto build = [&runtime, request] { return build_plan(request, runtime.kernels); };
  if (options.mode != Mode::background) return runtime.plans.find_or_build(words, build);
  reason = FallbackReason::not_ready;
  return runtime.plans.find_or_start(words, [&] {
    return runtime.pool.submit([&runtime, build, words] { (void)runtime.plans.find_or_build(words, build); });
  });
}

c10::List<at::Tensor> run(const Call& call) {
  auto& runtime = Runtime::get();
  call.region.counters().calls.fetch_add(1, std::memory_order_relaxed);
  check_arguments(call);
  if (runtime.off()) return fall_back(call, FallbackReason::off);
  if (!call.written.empty()) return fall_back(call, FallbackReason::writes);
  const auto& translated = call.region.body().translated();
  if (!translated.failure.empty()) return fall_back(call, FallbackReason::internal_error, translated.failure);
  Signature words;
  if (const auto reason = read_signature(call, words)) return fall_back(call, *reason);
  const auto hash = hash_of(words);
  {
    const Epochs::Reading reading(runtime.plans.epochs());
    if (const auto* plan = runtime.plans.find(words, hash)) return launch_or_fall_back(*plan, call);
  }
  auto reason = FallbackReason::internal_error;
  const auto plan = obtain_plan(call, words, reason);
  return plan ? launch_or_fall_back(*plan, call) : fall_back(call, reason);
}

c10::ArrayRef<c10::IValue> list_at(const torch::jit::Stack& stack, std::size_t from_end) {
  return stack[stack.size() - from_end].toListRef();
}

void run(torch::jit::Stack& stack, std::size_t num_arguments) {
  const auto region = stack.back().toCustomClass<Region>();
  const bool writes = num_arguments == 4;
  const Call call{*region, writes ? list_at(stack, 4) : c10::ArrayRef<c10::IValue>{}, list_at(stack, 3),
                  list_at(stack, 2)};
  auto results = run(call);
  torch::jit::drop(stack, num_arguments);
  stack.emplace_back(std::move(results));
}

}  // namespace

void execute(torch::jit::Stack& stack) { run(stack, 3); }
void execute_writing(torch::jit::Stack& stack) { run(stack, 4); }

}  // namespace torchweld::runtime
