#include <ATen/ops/randn.h>

#include "frontend/scripted.h"

namespace torchweld::frontend {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kSwish = R"(
def forward(self, x):
    return x * torch.sigmoid(x)
)";

TEST(Optimize, TurnsAChainIntoOneRegion) {
  EXPECT_EQ(region_texts(scripted(kSwish)), Texts{R"(graph(%0 : Tensor):
  %1 : Tensor = aten::sigmoid(%0)
  %2 : Tensor = aten::mul(%0, %1)
  return (%2)
)"});
}

TEST(Optimize, CallsTheRegionFromTheGraph) {
  const std::string text = printed(optimize(scripted(kSwish)));
  EXPECT_EQ(text.substr(text.find("%x.1")), R"(%x.1 : Tensor):
  %torchweld_region_0 : __torch__.torch.classes.torchweld.Region = prim::GetAttr[name="torchweld_region_0"](%self)
  %9 : Tensor?[] = prim::ListConstruct(%x.1)
  %10 : Scalar[] = prim::ListConstruct()
  %11 : Tensor[] = torchweld::execute(%9, %10, %torchweld_region_0)
  %12 : Tensor = prim::ListUnpack(%11)
  return (%12)
)");
}

TEST(Optimize, GivesTheSameResults) { expect_unchanged(scripted(kSwish), {at::randn({3, 5})}); }

TEST(Optimize, TellsWhatItDid) {
  const auto module = scripted(R"(
def forward(self, x, y):
    a = torch.relu(x + y)
    return torch.tanh(torch.mm(a, y))
)");
  Options options;
  options.min_region_nodes = 2;
  const auto outcome = optimize_with_outcome(module, options).second.methods.at("forward");
  ASSERT_EQ(outcome.regions.size(), 1);
  EXPECT_EQ(outcome.regions[0].nodes, 2);
  EXPECT_EQ(outcome.regions[0].ops, (Texts{"aten::add.Tensor", "aten::relu"}));
  EXPECT_EQ(outcome.regions[0].lines.size(), 2);
  EXPECT_EQ(reasons_for(outcome, "aten::mm"), std::vector{Boundary::unknown_op});
  EXPECT_EQ(reasons_for(outcome, "aten::tanh"), std::vector{Boundary::too_small});
}

TEST(Optimize, PassesNumbersAndMissingTensors) {
  const auto module = scripted(R"(
def forward(self, x, s: float, n: int, flag: bool, bias: Optional[Tensor]):
    y = torch.layer_norm(x * s + n, [x.size(1)], None, bias)
    return torch.sum(y, [1], flag)
)");
  const auto x = at::randn({3, 8});
  for (const bool flag : {false, true}) {
    expect_unchanged(module, {x, 0.5, 3, flag, c10::IValue()});
    expect_unchanged(module, {x, 0.5, 3, flag, at::randn({8})});
  }
  EXPECT_EQ(region_ops(module), Texts{"mul.Scalar add.Scalar layer_norm sum.dim_IntList"});
}

TEST(Optimize, LiftsConstantsThatTextCannotHold) {
  const auto module = scripted(R"(
def forward(self, x):
    return torch.relu(torch.masked_fill(x, x > 0, float("-inf"))) + torch.tensor([1.5, 2.5])
)");
  const auto texts = region_texts(module);
  ASSERT_EQ(texts.size(), 1);
  EXPECT_EQ(texts[0].find("inf"), std::string::npos) << texts[0];
  EXPECT_EQ(texts[0].substr(0, texts[0].find('\n')), "graph(%0 : Tensor,");
  expect_unchanged(module, {at::randn({3, 2})});
}

TEST(Optimize, PrintsEqualTextForEqualRegions) {
  const auto texts = region_texts(scripted(R"(
def forward(self, x, w):
    first = torch.relu(x) * 2
    mid = torch.mm(first, w)
    second = torch.relu(mid) * 2
    return torch.mm(second, w)
)"));
  ASSERT_EQ(texts.size(), 2);
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(Optimize, KeepsSourceLinesBesideTheText) {
  const auto [module, outcome] = optimize_with_outcome(scripted(kSwish));
  const auto& state = region_of(module, "torchweld_region_0").state();
  ASSERT_EQ(state.node_lines.size(), 2);
  for (const auto line : state.node_lines) EXPECT_LT(line, static_cast<std::int64_t>(state.lines.size()));
}

TEST(Optimize, CountsOneCompositeAsEnough) {
  const auto module = scripted(R"(
def forward(self, x):
    return torch.softmax(x, -1)
)");
  Options options;
  options.min_region_nodes = 2;
  EXPECT_EQ(region_ops(module, options), Texts{"softmax.int"});
}

TEST(Optimize, TakesSingleNodesUnlessAskedNotTo) {
  const auto module = scripted(R"(
def forward(self, x):
    return torch.tanh(x)
)");
  EXPECT_EQ(region_ops(module), Texts{"tanh"});
  Options options;
  options.min_region_nodes = 2;
  EXPECT_EQ(region_ops(module, options), Texts{});
}

}  // namespace
}  // namespace torchweld::frontend
