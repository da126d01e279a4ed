// Modules from TorchScript source, and what optimize made of them, for the tests of frontend/.
#pragma once

#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <functional>
#include <string>
#include <vector>

#include "frontend/libtorch_compat.h"
#include "runtime/region.h"
#include "runtime/runtime.h"
#include "torchweld/torchweld.h"

namespace torchweld::frontend {

/// A module whose methods are `source`.
inline torch::jit::Module scripted(const std::string& source) {
  torch::jit::Module module("Scripted");
  module.define(source);
  return module;
}

inline const runtime::Region& region_of(const torch::jit::Module& module, const std::string& attribute) {
  return *module.attr(attribute).toCustomClass<runtime::Region>();
}

/// The texts of the regions of `method`, in order.
inline std::vector<std::string> region_texts(const torch::jit::Module& source, const Options& options = {},
                                             const std::string& method = "forward") {
  const auto [module, outcome] = optimize_with_outcome(source, options);
  EXPECT_EQ(outcome.refusal, "");
  std::vector<std::string> texts;
  for (const auto& region : outcome.methods.at(method).regions)
    texts.push_back(region_of(module, region.attribute).state().text);
  return texts;
}

/// The ops of the regions of `method`, one line for each: "mul.Tensor relu".
inline std::vector<std::string> region_ops(const torch::jit::Module& source, const Options& options = {},
                                           const std::string& method = "forward") {
  const auto [module, outcome] = optimize_with_outcome(source, options);
  EXPECT_EQ(outcome.refusal, "");
  std::vector<std::string> lines;
  for (const auto& region : outcome.methods.at(method).regions) {
    std::string line;
    for (const std::string& op : region.ops) line.append(line.empty() ? "" : " ").append(op.substr(op.find("::") + 2));
    lines.push_back(line);
  }
  return lines;
}

/// The reason why each node called `op` stays outside of every region.
inline std::vector<Boundary> reasons_for(const MethodOutcome& outcome, const std::string& op) {
  std::vector<Boundary> reasons;
  for (const auto& outside : outcome.outside)
    if (outside.op == op) reasons.insert(reasons.end(), static_cast<std::size_t>(outside.count), outside.reason);
  return reasons;
}

inline std::string printed(const torch::jit::Module& module, const std::string& method = "forward") {
  return graph_of(module.get_method(method).function())->toString(/*print_source_locations=*/false);
}

/// Every tensor in `value`, depth first.
inline std::vector<at::Tensor> tensors_in(const c10::IValue& value) {
  std::vector<at::Tensor> tensors;
  value.visit([&](const c10::IValue& part) {
    if (part.isTensor()) tensors.push_back(part.toTensor());
    return false;
  });
  return tensors;
}

/// Same tensors in the same places: dtype, sizes, strides, and every bit but a NaN's payload.
inline void expect_same(const c10::IValue& found, const c10::IValue& expected) {
  const auto a = tensors_in(found);
  const auto b = tensors_in(expected);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].scalar_type(), b[i].scalar_type()) << "result " << i;
    EXPECT_EQ(a[i].sizes(), b[i].sizes()) << "result " << i;
    EXPECT_EQ(a[i].strides(), b[i].strides()) << "result " << i;
    EXPECT_TRUE(a[i].allclose(b[i], 0, 0, /*equal_nan=*/true)) << "result " << i << ": " << a[i] << "\n" << b[i];
  }
}

/// While it lives, regions run their original nodes: what is tested is the front end alone, to the bit.
class FallbackOnly {
public:
  FallbackOnly() { runtime::Runtime::get().set_off(true); }
  ~FallbackOnly() { runtime::Runtime::get().set_off(false); }
  FallbackOnly(const FallbackOnly&) = delete;
  FallbackOnly& operator=(const FallbackOnly&) = delete;
};

/// Runs `method` of `source` and of its optimized copy on the same inputs, several times, and expects the same results.
inline void expect_unchanged(const torch::jit::Module& source, const std::vector<c10::IValue>& inputs,
                             const Options& options = {}, const std::string& method = "forward") {
  const FallbackOnly fallback_only;
  const at::NoGradGuard no_grad;
  const auto copied = [&] {
    std::vector<c10::IValue> copies;
    for (const auto& input : inputs) copies.push_back(input.deepcopy());
    return copies;
  };
  auto original = source.deepcopy();
  auto fast = optimize(source, options);
  for (int call = 0; call < 3; ++call) {
    auto expected_inputs = copied();
    auto found_inputs = copied();
    const auto expected = original.get_method(method)(expected_inputs);
    const auto found = fast.get_method(method)(found_inputs);
    expect_same(found, expected);
    for (std::size_t i = 0; i < inputs.size(); ++i) expect_same(found_inputs[i], expected_inputs[i]);
  }
}

}  // namespace torchweld::frontend
