#include "runtime/execute.h"

#include <utility>

#include "runtime/call.h"
#include "runtime/fallback_reason.h"
#include "runtime/runtime.h"

namespace torchweld::runtime {
namespace {

c10::List<at::Tensor> run(const Call& call) {
  call.region.counters().calls.fetch_add(1, std::memory_order_relaxed);
  call.region.counters().count(FallbackReason::off);
  return run_original(call);
}

c10::ArrayRef<c10::IValue> list_at(const torch::jit::Stack& stack, std::size_t from_end) {
  return stack[stack.size() - from_end].toListRef();
}

void run(torch::jit::Stack& stack, std::size_t num_arguments) {
  // The region stays on the stack until the results are there, so a reference does.
  const auto region = stack.back().toCustomClass<Region>();
  const Call call{*region, num_arguments == 4 ? list_at(stack, 4) : c10::ArrayRef<c10::IValue>{}, list_at(stack, 3),
                  list_at(stack, 2)};
  auto results = run(call);
  torch::jit::drop(stack, num_arguments);
  stack.emplace_back(std::move(results));
}

}  // namespace

void execute(torch::jit::Stack& stack) { run(stack, 3); }
void execute_writing(torch::jit::Stack& stack) { run(stack, 4); }

}  // namespace torchweld::runtime
