#include "runtime/call.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/region_body.h"
#include "torchweld/error.h"

namespace torchweld::runtime {
namespace {

c10::IValue scalar_as(InputKind kind, const c10::IValue& scalar) {
  switch (kind) {
  case InputKind::boolean:
    return scalar.isInt() ? c10::IValue(scalar.toInt() != 0) : scalar;
  case InputKind::floating:
    return scalar.isInt() ? c10::IValue(static_cast<double>(scalar.toInt())) : scalar;
  default:
    return scalar;
  }
}

}  // namespace

void check_arguments(const Call& call) {
  const auto tensors = call.region.body().num_tensors();
  const auto numbers = call.region.body().inputs().size() - tensors;
  if (call.num_tensors() != tensors || call.scalars.size() != numbers)
    throw Error(fmt::format("torchweld::execute: found {} tensors and {} numbers, expected {} and {}",
                            call.num_tensors(), call.scalars.size(), tensors, numbers));
}

c10::List<at::Tensor> run_original(const Call& call) {
  const RegionBody& body = call.region.body();
  const auto& kinds = body.inputs();
  torch::jit::Stack arguments;
  arguments.reserve(kinds.size());
  for (const auto& tensor : call.written) arguments.push_back(tensor);
  for (const auto& tensor : call.inputs) arguments.push_back(tensor);
  for (const auto& scalar : call.scalars) arguments.push_back(scalar_as(kinds[arguments.size()], scalar));
  return body.run_original(std::move(arguments));
}

}  // namespace torchweld::runtime
