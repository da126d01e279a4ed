#include "frontend/translate.h"

#include <gtest/gtest.h>

#include "graph/passes.h"
#include "torchweld/error.h"

namespace torchweld::frontend {
namespace {

TEST(Translate, ReadsNumbersListsAndMissingOperands) {
  const auto graph = translate(R"(graph(%x : Tensor, %bias : Tensor?, %s : float, %n : int, %flag : bool):
  %eps : float = prim::Constant[value=1.0000000000000001e-05]()
  %true : bool = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %sizes : int[] = prim::ListConstruct(%n)
  %dims : int[] = prim::Constant[value=[0, -1]]()
  %a : Tensor = aten::mul(%x, %s)
  %b : Tensor = aten::layer_norm(%a, %sizes, %none, %bias, %eps, %true)
  %c : Tensor = aten::sum(%b, %dims, %flag, %none)
  return (%c))");
  EXPECT_EQ(graph::to_text(graph), R"(graph(%0: tensor, %1: tensor, %2: float, %3: int, %4: bool):
  %5: list = prim::ListConstruct(%3)
  %6: tensor = aten::mul.Scalar(%0, %2)
  %7: tensor = aten::layer_norm(%6, %5, None, %1, 1e-05, True)
  %8: tensor = aten::sum.dim_IntList(%7, [0, -1], %4, None)
  return %8
)");
}

TEST(Translate, ReadsSeveralResultsAndListsOfTensors) {
  const auto graph = translate(R"(graph(%x : Tensor):
  %two : int = prim::Constant[value=2]()
  %zero : int = prim::Constant[value=0]()
  %parts : Tensor[] = aten::chunk(%x, %two, %zero)
  %a : Tensor, %b : Tensor = prim::ListUnpack(%parts)
  %both : Tensor[] = prim::ListConstruct(%b, %a)
  %c : Tensor = aten::cat(%both, %zero)
  return (%c, %a))");
  EXPECT_EQ(graph::to_text(graph), R"(graph(%0: tensor):
  %1: list = aten::chunk(%0, 2, 0)
  %2: tensor, %3: tensor = prim::ListUnpack(%1)
  %4: list = prim::ListConstruct(%3, %2)
  %5: tensor = aten::cat(%4, 0)
  return %5, %2
)");
}

TEST(Translate, ReadsTextAndDevices) {
  const auto graph = translate(R"(graph(%x : Tensor):
  %mode : str = prim::Constant[value="tanh"]()
  %false : bool = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %cpu : Device = prim::Constant[value="cpu"]()
  %half : int = prim::Constant[value=5]()
  %a : Tensor = aten::gelu(%x, %mode)
  %b : Tensor = aten::to(%a, %cpu, %half, %false, %false, %none)
  return (%b))");
  EXPECT_EQ(graph::to_text(graph), R"(graph(%0: tensor):
  %1: tensor = aten::gelu(%0, "tanh")
  %2: tensor = aten::to.device(%1, "cpu", 5, False, False, None)
  return %2
)");
}

TEST(Translate, CountsConstantsInLines) {
  const auto graph = translate(R"(graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %x, %one)
  return (%a))");
  EXPECT_EQ(graph.nodes()[0].line, 1);
}

TEST(Translate, NamesAnOpWithoutARow) {
  try {
    (void)translate("graph(%x : Tensor):\n  %a : Tensor = aten::matmul(%x, %x)\n  return (%a)");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "region: node 0 is aten::matmul, expected an op of the op table");
  }
}

}  // namespace
}  // namespace torchweld::frontend
