#include "frontend/detach_weights.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include "torchweld/torchweld.h"

namespace torchweld::frontend {
namespace {

using torch::jit::Module;

Module scaled(bool training) {
  Module module("Scaled");
  module.register_parameter("weight", at::ones({4}).requires_grad_(), /*is_buffer=*/false);
  module.register_attribute("training", c10::BoolType::get(), training);
  module.define(R"(
def forward(self, x):
    return torch.relu(torch.matmul(x, self.weight) * 2.0 + 1.0)
)");
  return module;
}

TEST(DetachWeights, AnOptimizedModuleInEvalNeedsNoGuard) {
  Module module = scaled(false);
  Module fast = optimize(module);
  EXPECT_FALSE(fast.attr("weight").toTensor().requires_grad());
  EXPECT_TRUE(module.attr("weight").toTensor().requires_grad()) << "the original keeps its own";
  EXPECT_FALSE(fast.forward({at::ones({2, 4})}).toTensor().requires_grad());
}

TEST(DetachWeights, ChangesOfTheOriginalInPlaceAreSeen) {
  Module module = scaled(false);
  Module fast = optimize(module);
  module.attr("weight").toTensor().detach().mul_(3);
  EXPECT_EQ(fast.forward({at::ones({2, 4})}).toTensor().max().item<float>(), 25);
}

TEST(DetachWeights, TrainingModeAndInferenceOffKeepGradients) {
  EXPECT_TRUE(optimize(scaled(true)).attr("weight").toTensor().requires_grad());
  Options options;
  options.inference = false;
  EXPECT_TRUE(optimize(scaled(false), options).attr("weight").toTensor().requires_grad());
}

TEST(DetachWeights, TiedWeightsStayOneTensor) {
  Module module = scaled(false);
  module.register_parameter("tied", module.attr("weight").toTensor(), /*is_buffer=*/false);
  detach_weights(module);
  EXPECT_TRUE(module.attr("tied").toTensor().is_same(module.attr("weight").toTensor()));
}

}  // namespace
}  // namespace torchweld::frontend
