#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include "frontend/scripted.h"

namespace torchweld::frontend {
namespace {

using Ops = std::vector<std::string>;

TEST(Partition, SplitsWhereAPathLeavesAndReturns) {
  const auto module = scripted(R"(
def forward(self, x):
    a = torch.relu(x) * 2
    b = torch.mm(a, a)
    return torch.tanh(b) + a
)");
  EXPECT_EQ(region_ops(module), (Ops{"relu mul.Scalar", "tanh add.Tensor"}));
  expect_unchanged(module, {at::randn({4, 4})});
}

TEST(Partition, JoinsNodesThatShareAnInput) {
  EXPECT_EQ(region_ops(scripted(R"(
def forward(self, q, cos):
    return torch.mm(torch.relu(q), cos), torch.mm(torch.tanh(q), cos)
)")),
            Ops{"relu tanh"});
}

TEST(Partition, KeepsUnrelatedNodesApart) {
  EXPECT_EQ(region_ops(scripted(R"(
def forward(self, x, y):
    return torch.relu(x) * 2, torch.tanh(y) * 3
)")),
            (Ops{"relu mul.Scalar", "tanh mul.Scalar"}));
}

TEST(Partition, SinksALoneNodeToItsConsumers) {
  const auto module = scripted(R"(
def forward(self, x, y):
    shortcut = torch.relu(x)
    main = torch.mm(torch.tanh(y) * 2, y)
    return torch.sigmoid(main) + shortcut
)");
  EXPECT_EQ(region_ops(module), (Ops{"tanh mul.Scalar", "relu sigmoid add.Tensor"}));
  expect_unchanged(module, {at::randn({4, 4}), at::randn({4, 4})});
}

TEST(Partition, WorksInTheBodiesOfIfAndLoop) {
  const auto module = scripted(R"(
def forward(self, x, n: int):
    if n > 2:
        x = torch.relu(x) * 2
    else:
        x = torch.tanh(x) - 1
    for i in range(n):
        x = torch.sigmoid(x) * i
    return x
)");
  EXPECT_EQ(region_ops(module), (Ops{"relu mul.Scalar", "tanh sub.Scalar", "sigmoid mul.Scalar"}));
  for (const int n : {1, 4}) expect_unchanged(module, {at::randn({3, 5}), n});
}

TEST(Partition, KeepsALoopApartFromWhatUsesItsResult) {
  const auto source = R"(
def forward(self, a, b, n: int):
    x = a
    for i in range(n):
        if n > 2:
            b.relu_()
        x = (b + x).mul_(0.5)
    y = x
    for i in range(n):
        y = b
    z = b.clamp(-1.0, 1.0).add_(1)
    z[0].mul_(0.5)
    parts = torch.chunk(z, 2, 1)
    return y, a, torch.cat([parts[1].reshape(2, 4), torch.tanh(parts[0]).reshape(2, 4)])
)";
  const auto a = at::randn({4, 4});
  auto plain = scripted(source);
  use_simple_executor(plain.get_method("forward").function());
  EXPECT_THROW(plain.forward({a, a, 2}), std::exception) << "the interpreter is mended: keep_loops_apart can go";
  auto fast = optimize(scripted(source));
  EXPECT_NO_THROW(fast.forward({a, a, 2}));
}

TEST(Partition, KeepsReadsOnTheirSideOfAWrite) {
  const auto module = scripted(R"(
def forward(self, x):
    before = torch.relu(x) + x
    x[0].add_(1)
    after = torch.relu(x) + x
    return before * 2, after * 3
)");
  EXPECT_EQ(region_ops(module), (Ops{"relu add.Tensor mul.Scalar", "relu add.Tensor mul.Scalar"}));
  expect_unchanged(module, {at::randn({3, 5})});
}

TEST(Partition, SeesAWriteToAnElementOfAList) {
  const auto module = scripted(R"(
def forward(self, x, y):
    a = torch.relu(x) * 2
    parts = [a, y]
    y.mul_(0.5)
    joined = torch.cat(parts) + 1
    y.mul_(0.5)
    return torch.tanh(torch.cat(parts)) + joined
)");
  expect_unchanged(module, {at::randn({2, 3}), at::randn({2, 3})});
}

TEST(Partition, SeesAWriteThatALoopHandsToItsNextTurn) {
  const auto module = scripted(R"(
def forward(self, x, y, n: int):
    z = torch.relu(y) + y
    for i in range(n):
        before = torch.tanh(y) + y
        x.mul_(2)
        z = z + before * torch.sigmoid(y)
        x = y
    return z + torch.relu(y)
)");
  expect_unchanged(module, {at::randn({3}), at::randn({3}), 3});
}

TEST(Partition, LeavesWritersAndRandomNumbersOutside) {
  const auto module = scripted(R"(
def forward(self, x):
    y = torch.relu(x) + torch.rand_like(x)
    x.copy_(y)
    return torch.dropout(y * 2, 0.5, True) + 1
)");
  const auto outcome = optimize_with_outcome(module).second.methods.at("forward");
  EXPECT_EQ(reasons_for(outcome, "aten::rand_like"), std::vector{Boundary::random});
  EXPECT_EQ(reasons_for(outcome, "aten::copy_"), std::vector{Boundary::writes_memory});
  EXPECT_EQ(reasons_for(outcome, "aten::dropout"), std::vector{Boundary::random});
}

TEST(Partition, LeavesAMoveToAnotherDeviceOutside) {
  const auto module = scripted(R"(
def forward(self, x, state):
    return torch.relu(state.view(-1).to(x.device)) * 2 + x, torch.tanh(x + 1).to(x.device) * 3
)");
  const auto outcome = optimize_with_outcome(module).second.methods.at("forward");
  EXPECT_EQ(reasons_for(outcome, "aten::to.prim_Device"), std::vector{Boundary::moves_device});
  expect_unchanged(module, {at::randn({3}), at::randn({3})});
}

TEST(Partition, MakesATransposedCopyARegionButNotACopyThatMayBeNone) {
  const auto module = scripted(R"(
def forward(self, x, y):
    turned = x.transpose(0, 1).contiguous().view(-1, 2)
    return torch.mm(turned, y), torch.mm(x.contiguous(), y)
)");
  EXPECT_EQ(region_ops(module), std::vector<std::string>{"transpose.int contiguous"});
  expect_unchanged(module, {at::randn({4, 2}), at::randn({2, 3})});
}

TEST(Partition, KeepsWhatAnAttributeAliases) {
  torch::jit::Module module("Keeper");
  module.register_attribute("kept", c10::TensorType::get(), at::zeros({2}));
  module.define(R"(
def forward(self, x):
    self.kept.mul_(2)
    y = x.transpose(0, 1).contiguous()
    self.kept = y.view(-1)
    return torch.mm(y, x)
)");
  const torch::jit::Module fast = optimize(module);
  for (const auto& x : {at::randn({2, 3}), at::randn({3, 1})}) {
    const auto ours = x.clone(), theirs = x.clone();
    for (int call = 0; call < 2; ++call)
      expect_same(torch::jit::Module(fast).forward({ours}), module.forward({theirs}));
    expect_same(ours, theirs);
  }
}

TEST(Partition, MakesNoRegionOfACopyThatMayNotLeave) {
  const auto module = scripted(R"(
def forward(self, x):
    return x.transpose(0, 1).contiguous()
)");
  EXPECT_EQ(region_ops(module), std::vector<std::string>{});
}

TEST(Partition, LeavesFormsOutsideThatNoCallMakesSupported) {
  const auto module = scripted(R"(
def forward(self, x, end: float):
    padded = torch.pad(x * 2, [1, 1], "reflect") + 1
    rolled = torch.roll(padded * 2, [1, 1], [0, 1]) + 1
    return rolled + torch.arange(end), torch.pad(x * 2, [1, 1]), torch.roll(x * 2, [1], [0])
)");
  const auto outcome = optimize_with_outcome(module).second.methods.at("forward");
  for (const char* op : {"aten::pad", "aten::roll", "aten::arange"})
    EXPECT_EQ(reasons_for(outcome, op), std::vector{Boundary::unsupported_form}) << op;
  expect_unchanged(module, {at::randn({3, 5}), 7.0});
}

TEST(Partition, CallsAttentionRandomOnlyWithDropout) {
  const auto module = scripted(R"(
def forward(self, x):
    y = torch.scaled_dot_product_attention(x, x, x) * 2
    return torch.scaled_dot_product_attention(y, y, y, None, 0.5) + 1
)");
  const auto outcome = optimize_with_outcome(module).second.methods.at("forward");
  EXPECT_EQ(reasons_for(outcome, "aten::scaled_dot_product_attention"),
            (std::vector{Boundary::unknown_op, Boundary::random}));
}

TEST(Partition, KeepsSizesOnTheirSideOfAChangeOfShape) {
  const auto module = scripted(R"(
def forward(self, x):
    y = torch.relu(x) * 2
    before = y.size(0)
    x.t_()
    return torch.tanh(x) + x.size(0), y + before, torch.sigmoid(x.reshape(before, -1)) * 2
)");
  expect_unchanged(module, {at::randn({2, 3})});
}

TEST(Partition, LeavesBatchNormInTrainingOutside) {
  const auto module = scripted(R"(
def forward(self, x, mean, var, training: bool):
    return torch.relu(torch.batch_norm(x, None, None, mean, var, training, 0.1, 1e-5, False)) * 2
)");
  const auto outcome = optimize_with_outcome(module).second.methods.at("forward");
  EXPECT_EQ(reasons_for(outcome, "aten::batch_norm"), std::vector{Boundary::writes_memory});
  for (const bool training : {false, true})
    expect_unchanged(module, {at::randn({4, 3}), at::randn({3}), at::rand({3}), training});
}

TEST(Partition, TakesInstanceNormUnlessItWritesStatistics) {
  const auto module = scripted(R"(
def forward(self, x, mean, var):
    y = torch.instance_norm(x, None, None, None, None, True, 0.1, 1e-5, False) * 2
    return torch.instance_norm(y, None, None, mean, var, True, 0.1, 1e-5, False)
)");
  EXPECT_EQ(region_ops(module), Ops{"instance_norm mul.Scalar"});
  const auto outcome = optimize_with_outcome(module).second.methods.at("forward");
  EXPECT_EQ(reasons_for(outcome, "aten::instance_norm"), std::vector{Boundary::writes_memory});
  expect_unchanged(module, {at::randn({2, 3, 4}), at::zeros({3}), at::ones({3})});
}

TEST(Partition, KnowsThatACastToFloatMayReturnItsArgument) {
  const auto module = scripted(R"(
def forward(self, x):
    y = torch.relu(x)
    z = torch._cast_Float(y)
    y.add_(1)
    return torch.tanh(z) * 2, y
)");
  expect_unchanged(module, {at::randn({2, 3})});
}

TEST(Partition, MovesNothingThatRaisesAcrossAVisibleWrite) {
  const auto module = scripted(R"(
def forward(self, state, x, y):
    a = torch.relu(x) * 2
    state.add_(1)
    return (x + y) * a
)");
  const FallbackOnly fallback_only;
  auto fast = optimize(module);
  const auto state = at::zeros({2});
  EXPECT_THROW(fast.forward({state, at::randn({3}), at::randn({4})}), std::exception);
  EXPECT_TRUE(at::equal(state, at::ones({2})));
}

TEST(Partition, LeavesAModuleAloneWhoseListsChange) {
  const auto module = scripted(R"(
def forward(self, x):
    parts = [x]
    for i in range(3):
        parts.append(torch.relu(parts[-1]) + 1)
    return torch.cat(parts) * 2
)");
  expect_unchanged(module, {at::randn({2, 3})});
}

}  // namespace
}  // namespace torchweld::frontend
