#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/serialization/import.h>

#include <set>
#include <sstream>

#include "frontend/scripted.h"

namespace torchweld::frontend {
namespace {

using torch::jit::Module;

Module layer() {
  Module module("Layer");
  module.register_parameter("weight", at::ones({4}), /*is_buffer=*/false);
  module.register_parameter("unused", at::ones({2}), /*is_buffer=*/false);
  module.register_buffer("scale", at::ones({1}) * 3);
  module.register_attribute("eps", c10::FloatType::get(), 0.25);
  module.register_attribute("training", c10::BoolType::get(), false);
  module.define(R"(
def forward(self, x):
    return torch.relu(x * self.weight + self.eps) * self.scale
def unused_method(self, x: int) -> int:
    return x + 1
)");
  return module;
}

/// A model with a submodule, state in a buffer written in place, state that is set anew, and a method that resets both.
Module model() {
  Module module("Model");
  module.register_module("layer", layer());
  module.register_buffer("seen", at::zeros({4}));
  module.register_attribute("state", c10::TensorType::get(), at::zeros({4}));
  module.register_attribute("calls", c10::IntType::get(), 0);
  module.register_attribute("training", c10::BoolType::get(), false);
  module.define(R"(
def forward(self, x, scale: float = 2.0):
    y = self.layer.forward(x) * scale
    self.seen.add_(torch.tanh(y) + y)
    self.state = torch.sigmoid(self.state + y) * y
    self.calls += 1
    return self.state + self.seen + self.calls
def reset(self):
    self.seen.zero_()
    self.state = torch.zeros_like(self.state)
    self.calls = 0
)");
  return module;
}

std::set<std::string> names_of_attributes(const Module& module) {
  std::set<std::string> names;
  for (const auto& attribute : module.named_attributes())
    if (attribute.name.find("torchweld_region_") == std::string::npos) names.insert(attribute.name);
  return names;
}

TEST(OptimizedModule, KeepsEveryAttributeMethodAndDefault) {
  const Module source = model();
  const Module fast = optimize(source);
  EXPECT_EQ(names_of_attributes(fast), names_of_attributes(source));
  EXPECT_EQ(fast.named_parameters().size(), source.named_parameters().size());
  for (const auto& method : source.get_methods()) EXPECT_TRUE(fast.find_method(method.name())) << method.name();
  const Module sublayer = fast.attr("layer").toModule();
  EXPECT_EQ(sublayer.get_method("unused_method")({1}).toInt(), 2);
  EXPECT_EQ(fast.get_method("forward").function().getSchema().arguments()[2].default_value()->toDouble(), 2.0);
}

TEST(OptimizedModule, BehavesAlikeOverCallsAndResets) {
  const FallbackOnly fallback_only;
  const at::NoGradGuard no_grad;
  Module source = model();
  Module fast = optimize(source);
  for (int call = 0; call < 4; ++call) {
    const auto x = at::randn({4});
    expect_same(fast.forward({x}), source.forward({x}));
    if (call != 1) continue;
    fast.get_method("reset")({});
    source.get_method("reset")({});
  }
}

TEST(OptimizedModule, SharesWeightsAndCopiesWrittenBuffers) {
  const Module source = model();
  Module fast = optimize(source);
  const auto pointer = [](const Module& module, const char* name) { return module.attr(name).toTensor().data_ptr(); };
  EXPECT_EQ(pointer(fast.attr("layer").toModule(), "weight"), pointer(source.attr("layer").toModule(), "weight"));
  EXPECT_NE(pointer(fast, "seen"), pointer(source, "seen"));
  const at::NoGradGuard no_grad;
  (void)fast.forward({at::ones({4})});
  EXPECT_TRUE(at::equal(source.attr("seen").toTensor(), at::zeros({4})));
}

TEST(OptimizedModule, CopiesBuffersThatShareMemoryTogether) {
  Module source("Views");
  const auto whole = at::zeros({4});
  source.register_buffer("whole", whole);
  source.register_buffer("part", whole.slice(0, 0, 2));
  source.define(R"(
def forward(self, x):
    self.part.add_(x)
    return self.whole * 2 + 1
)");
  Module fast = optimize(source);
  const at::NoGradGuard no_grad;
  const FallbackOnly fallback_only;
  const auto result = fast.forward({at::ones({2})}).toTensor();
  EXPECT_EQ(result[0].item<float>(), 3);
  EXPECT_EQ(result[2].item<float>(), 1);
  EXPECT_EQ(whole.sum().item<float>(), 0);
}

TEST(OptimizedModule, FollowsItsWeights) {
  const Module source = model();
  Module fast = optimize(source);
  const at::NoGradGuard no_grad;
  const auto before = fast.attr("layer").toModule().attr("weight").toTensor();
  fast.to(at::kDouble);
  const auto weight = fast.attr("layer").toModule().attr("weight").toTensor();
  EXPECT_EQ(weight.scalar_type(), at::kDouble);
  EXPECT_EQ(fast.forward({at::ones({4}, at::kDouble)}).toTensor().scalar_type(), at::kDouble);
}

TEST(OptimizedModule, SavesLoadsAndCopiesDeeply) {
  const FallbackOnly fallback_only;
  const at::NoGradGuard no_grad;
  Module fast = optimize(model());
  std::stringstream file;
  fast.save(file);
  Module loaded = torch::jit::load(file);
  Module copy = fast.deepcopy();
  for (int call = 0; call < 2; ++call) {
    const auto x = at::randn({4});
    const auto expected = fast.forward({x});
    expect_same(loaded.forward({x}), expected);
    expect_same(copy.forward({x}), expected);
  }
}

TEST(OptimizedModule, MayBeOptimizedAgain) {
  const FallbackOnly fallback_only;
  const at::NoGradGuard no_grad;
  const Module source = model();
  Module once = optimize(source);
  const auto [again, outcome] = optimize_with_outcome(once);
  EXPECT_EQ(outcome.refusal, "");
  Module twice = again;
  const auto x = at::randn({4});
  expect_same(twice.forward({x}), once.forward({x}));
}

TEST(OptimizedModule, KeepsHooks) {
  Module source("Hooked");
  source.define(R"(
def forward(self, x):
    return torch.relu(x) * 2
def hook(self, inputs: Tuple[Tensor], result: Tensor):
    return torch.tanh(result) + 1
)");
  source.type()->addForwardHook(&source.get_method("hook").function());
  const Module fast = optimize(source);
  ASSERT_EQ(fast.type()->getForwardHooks().size(), 1);
  EXPECT_EQ(fast.type()->getForwardHooks()[0]->name(), "hook");
}

TEST(OptimizedModule, IsAPlainCopyWhenItDefinesItsOwnState) {
  Module source = layer();
  source.define(R"(
def __getstate__(self):
    return 1
def __setstate__(self, state: int):
    self.eps = 0.25
)");
  const auto [copy, outcome] = optimize_with_outcome(source);
  EXPECT_EQ(outcome.refusal, "module Layer defines __getstate__: an edited copy of it cannot be loaded");
  EXPECT_TRUE(outcome.methods.empty());
  EXPECT_EQ(printed(copy).find("torchweld"), std::string::npos);
}

TEST(OptimizedModule, KeepsTrainingBehaviour) {
  Module source("Trained");
  source.register_attribute("training", c10::BoolType::get(), true);
  source.define(R"(
def forward(self, x):
    return torch.dropout(torch.relu(x) * 2, 0.5, self.training) + 1
)");
  const auto outcome = optimize_with_outcome(source).second.methods.at("forward");
  EXPECT_EQ(reasons_for(outcome, "aten::dropout"), std::vector{Boundary::random});
  Module evaluated = source.deepcopy();
  evaluated.eval();
  EXPECT_EQ(region_ops(evaluated), std::vector<std::string>{"relu mul.Scalar add.Scalar"});
}

TEST(OptimizedModule, RunsWithoutPyTorchsFuser) {
  Module fast = optimize(model());
  const at::NoGradGuard no_grad;
  for (int call = 0; call < 3; ++call) (void)fast.forward({at::ones({4})});
  auto& function = torch::jit::toGraphFunction(fast.get_method("forward").function());
  const auto state = function.getDebugState();
  const std::string text = state.graph->toString() + [&] {
    std::string plans;
    for (const auto& [spec, plan] : state.execution_plans) plans += plan.graph->toString();
    return plans;
  }();
  EXPECT_EQ(text.find("prim::profile"), std::string::npos);
  EXPECT_EQ(text.find("TensorExprGroup"), std::string::npos);
}

TEST(Load, NamesAFileThatIsNotTorchScript) {
  try {
    (void)load("no/such/file.pt");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "no/such/file.pt: cannot be read, expected a TorchScript file (torch.jit.save)");
  }
}

}  // namespace
}  // namespace torchweld::frontend
