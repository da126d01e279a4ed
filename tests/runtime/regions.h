// Regions and calls for the tests of runtime/.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <torch/custom_class.h>

#include <string>
#include <vector>

#include "runtime/region.h"

namespace torchweld::runtime {

/// relu(x + y)
inline constexpr const char* kAddRelu = R"(graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %sum : Tensor = aten::add(%x, %y, %one)
  %out : Tensor = aten::relu(%sum)
  return (%out))";

/// x + y
inline constexpr const char* kAdd = R"(graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %out : Tensor = aten::add(%x, %y, %one)
  return (%out))";

/// x + 2 * y
inline constexpr const char* kAddTwice = R"(graph(%x : Tensor, %y : Tensor):
  %two : int = prim::Constant[value=2]()
  %out : Tensor = aten::add(%x, %y, %two)
  return (%out))";

/// x - y
inline constexpr const char* kSubtract = R"(graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %out : Tensor = aten::sub(%x, %y, %one)
  return (%out))";

/// x @ x, which no row of the op table has
inline constexpr const char* kUnknown = R"(graph(%x : Tensor):
  %out : Tensor = aten::matmul(%x, %x)
  return (%out))";

/// softmax(x + y) and its row maxima, x itself, and softmax again
inline constexpr const char* kSeveralResults = R"(graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %last : int = prim::Constant[value=-1]()
  %none : NoneType = prim::Constant()
  %false : bool = prim::Constant[value=0]()
  %dims : int[] = prim::ListConstruct(%last)
  %sum : Tensor = aten::add(%x, %y, %one)
  %soft : Tensor = aten::softmax(%sum, %last, %none)
  %max : Tensor = aten::amax(%soft, %dims, %false)
  return (%soft, %max, %x, %soft))";

/// The sums of x over its rows and over its columns, added: two kernels with a value between them.
inline constexpr const char* kTwoKernels = R"(graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %true : bool = prim::Constant[value=1]()
  %rows : int[] = prim::ListConstruct(%zero)
  %columns : int[] = prim::ListConstruct(%one)
  %twice : Tensor = aten::add(%x, %x, %one)
  %a : Tensor = aten::sum(%twice, %rows, %true, %none)
  %b : Tensor = aten::sum(%twice, %columns, %true, %none)
  %out : Tensor = aten::add(%a, %b, %one)
  return (%out))";

/// x * s, where s is a float of the call
inline constexpr const char* kScale = R"(graph(%x : Tensor, %s : float):
  %out : Tensor = aten::mul(%x, %s)
  return (%out))";

/// x += 1
inline constexpr const char* kIncrement = R"(graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %out : Tensor = aten::add_(%x, %one, %one)
  return (%out))";

inline c10::TypePtr region_type() { return c10::getCustomClassType<c10::intrusive_ptr<Region>>(); }

inline c10::impl::GenericList optional_tensors(const std::vector<at::Tensor>& tensors) {
  c10::impl::GenericList list(c10::OptionalType::ofTensor());
  for (const auto& tensor : tensors) list.push_back(tensor.defined() ? c10::IValue(tensor) : c10::IValue());
  return list;
}
inline c10::impl::GenericList numbers(const std::vector<at::Scalar>& values) {
  c10::impl::GenericList list(c10::NumberType::get());
  for (const auto& value : values) list.push_back(c10::IValue(value));
  return list;
}

/// Calls torchweld::execute through the dispatcher, as the interpreter does.
inline std::vector<at::Tensor> call(const c10::intrusive_ptr<Region>& region, const std::vector<at::Tensor>& inputs,
                                    const std::vector<at::Scalar>& scalars = {}) {
  static const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("torchweld::execute", "");
  torch::jit::Stack stack{optional_tensors(inputs), numbers(scalars), region};
  op.callBoxed(stack);
  return stack.at(0).toTensorVector();
}

/// Calls torchweld::execute_.
inline std::vector<at::Tensor> call_writing(const c10::intrusive_ptr<Region>& region,
                                            const std::vector<at::Tensor>& written,
                                            const std::vector<at::Tensor>& inputs = {}) {
  static const auto op = c10::Dispatcher::singleton().findSchemaOrThrow("torchweld::execute_", "");
  torch::jit::Stack stack{c10::List<at::Tensor>(written), optional_tensors(inputs), numbers({}), region};
  op.callBoxed(stack);
  return stack.at(0).toTensorVector();
}

inline c10::intrusive_ptr<Region> region_of(const char* text, Options options = {}) {
  return make_region({text, {}, {}, {}, std::move(options)});
}

}  // namespace torchweld::runtime
