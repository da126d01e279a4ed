// What LibTorch's registry knows of us: the class torchweld.Region and the operators that run regions.
#include <torch/custom_class.h>
#include <torch/library.h>

#include "runtime/execute.h"
#include "runtime/region.h"
#include "runtime/region_state.h"

namespace torchweld::runtime {
namespace {

void execute_boxed(const c10::OperatorHandle& /*op*/, torch::jit::Stack* stack) { execute(*stack); }
void execute_writing_boxed(const c10::OperatorHandle& /*op*/, torch::jit::Stack* stack) { execute_writing(*stack); }

// One kernel for every dispatch key: a call checks keys itself, since a fallback must meet all of them again.
TORCH_LIBRARY(torchweld, library) {
  library.class_<Region>("Region").def_pickle(
      [](const c10::intrusive_ptr<Region>& region) { return saved_from_state(region->state()); },
      [](const c10::IValue& saved) { return make_region(state_from_saved(saved)); });
  library.def("execute(Tensor?[] inputs, Scalar[] scalars, __torch__.torch.classes.torchweld.Region r) -> Tensor[]",
              torch::CppFunction::makeFromBoxedFunction<&execute_boxed>());
  // An annotation inside a list, Tensor(a!)[], reaches neither the elements nor dead-code elimination: a call whose
  // results nobody uses is deleted. Conservative analysis lets the call write whatever it is given, and stay.
  library.def(torch::schema("execute_(Tensor[] written, Tensor?[] inputs, Scalar[] scalars, "
                            "__torch__.torch.classes.torchweld.Region r) -> Tensor[]",
                            c10::AliasAnalysisKind::CONSERVATIVE),
              torch::CppFunction::makeFromBoxedFunction<&execute_writing_boxed>());
}

}  // namespace
}  // namespace torchweld::runtime
