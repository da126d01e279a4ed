#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>

#include "frontend/scripted.h"

namespace torchweld::frontend {
namespace {

using Ops = std::vector<std::string>;

TEST(Borders, CopyLeadingViewsIn) {
  const auto module = scripted(R"(
def forward(self, x):
    return torch.relu(x.transpose(0, 1)) + x[0]
)");
  EXPECT_EQ(region_ops(module), Ops{"transpose.int relu select.int add.Tensor"});
  expect_unchanged(module, {at::randn({4, 4})});
}

TEST(Borders, PushViewsBackOut) {
  const auto module = scripted(R"(
def forward(self, x):
    y = torch.relu(x) * 2
    return y, y.transpose(0, 1), y.view(-1)
)");
  EXPECT_EQ(region_ops(module), Ops{"relu mul.Scalar"});
  expect_unchanged(module, {at::randn({2, 3})});
}

TEST(Borders, KeepTheAliasOfAViewThatLeaves) {
  auto fast = optimize(scripted(R"(
def forward(self, x):
    y = torch.relu(x) * 2
    return y, y[0]
)"));
  const auto results = tensors_in(fast.forward({at::randn({2, 3})}));
  results[1].zero_();
  EXPECT_TRUE(at::equal(results[0][0], results[1]));
}

TEST(Borders, LetAReshapeLeaveWhenNobodyCanTell) {
  const auto module = scripted(R"(
def forward(self, x, w):
    y = torch.relu(x).transpose(0, 1).reshape(-1)
    return torch.dot(y, w)
)");
  Options options;
  options.min_region_nodes = 1;
  EXPECT_EQ(region_ops(module, options), Ops{"relu transpose.int reshape"});
  expect_unchanged(module, {at::randn({2, 3}), at::randn({6})}, options);
}

TEST(Borders, KeepAReshapeOfAnInputOutside) {
  auto fast = optimize(scripted(R"(
def forward(self, x):
    y = x.reshape(-1)
    return y, torch.relu(y) + y
)"));
  const auto x = at::randn({2, 3});
  const auto results = tensors_in(fast.forward({x}));
  EXPECT_EQ(results[0].data_ptr(), x.data_ptr());
}

TEST(Borders, CopySizeArithmeticIn) {
  const auto module = scripted(R"(
def forward(self, x):
    y = torch.relu(x) * 2
    n = y.size(0) * 2
    return torch.tanh(y.view(n, -1)) + 1, n
)");
  EXPECT_EQ(region_ops(module), Ops{"relu mul.Scalar view tanh add.Scalar"});
  expect_unchanged(module, {at::randn({2, 4})});
}

TEST(Borders, PassASizeOfAnotherTensorAsANumber) {
  const auto texts = region_texts(scripted(R"(
def forward(self, x, other):
    return torch.relu(x).view(other.size(0), -1) * 2
)"));
  ASSERT_EQ(texts.size(), 1);
  EXPECT_EQ(texts[0].substr(0, texts[0].find("):")), "graph(%0 : Tensor,\n      %1 : int");
}

TEST(Borders, PassANumberOnceThatSeveralNodesUse) {
  const auto module = scripted(R"(
def forward(self, x, other, n: int):
    m = other.size(0) * n
    return torch.relu(x).view(m, -1) + torch.tanh(x).view(m, -1) * m
)");
  const auto texts = region_texts(module);
  ASSERT_EQ(texts.size(), 1);
  EXPECT_EQ(texts[0].substr(0, texts[0].find("):")), "graph(%0 : Tensor,\n      %1 : int");
  expect_unchanged(module, {at::randn({4, 4}), at::randn({2, 1}), 4});
}

TEST(Borders, CopyListsOfTensorsIn) {
  const auto module = scripted(R"(
def forward(self, x, y):
    a, b = torch.chunk(torch.cat([x, y]) * 2, 2)
    return torch.sigmoid(a) * torch.tanh(b)
)");
  EXPECT_EQ(region_ops(module), Ops{"cat mul.Scalar ListUnpack sigmoid tanh mul.Tensor"});
  expect_unchanged(module, {at::randn({2, 4}), at::randn({2, 4})});
}

TEST(Borders, GiveOutNoNumbers) {
  const auto module = scripted(R"(
def forward(self, x):
    y = torch.relu(x) + 1
    z = torch.mm(y, y)
    return torch.zeros([y.size(0), z.dim()]) + 1
)");
  expect_unchanged(module, {at::randn({3, 3})});
}

TEST(Borders, TellWeightsFromOtherInputs) {
  torch::jit::Module module("Scripted");
  module.register_parameter("w", at::ones({3}), /*is_buffer=*/false);
  module.define(R"(
def forward(self, x):
    return torch.relu(x * self.w) + x
)");
  const auto fast = optimize(module);
  const auto& state = region_of(fast, "torchweld_region_0").state();
  EXPECT_EQ(state.weights, (std::vector<bool>{false, true}));
}

}  // namespace
}  // namespace torchweld::frontend
