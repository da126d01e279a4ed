#include "graph/expect.h"

namespace torchweld::graph {
namespace {

/// What a rule leaves without a use is another pass's to remove.
Graph simplify_and_clean(const Graph& graph) { return pass_named("remove_dead_nodes")(pass_named("simplify")(graph)); }

/// `node` defines %a, which stands for x.
void expect_forwards_x(const std::string& node, const std::string& x_type) {
  const std::string head = "graph(%x: " + x_type + "): ";
  expect_pass(simplify_and_clean, head + node + " %b: " + x_type + " = aten::neg(%a) return %b",
              head + "%b: " + x_type + " = aten::neg(%x) return %b");
}

void expect_keeps(const std::string& node, const std::string& x_type, const std::string& a_type) {
  const std::string text = "graph(%x: " + x_type + "): " + node + " %b: " + a_type + " = aten::neg(%a) return %b";
  expect_unchanged(pass_named("simplify"), text);
}

TEST(Simplify, DropsMultiplicationAndDivisionByOne) {
  expect_forwards_x("%a: f32[8] = aten::mul.Tensor(%x, 1.0)", "f32[8]");
  expect_forwards_x("%a: f32[8] = aten::mul.Scalar(%x, 1)", "f32[8]");
  expect_forwards_x("%a: f32[8] = aten::div.Scalar(%x, 1)", "f32[8]");
  expect_keeps("%a: f32[8] = aten::mul.Scalar(%x, 1.0)", "i64[8]", "f32[8]");  // changes the dtype
  expect_keeps("%a: f32[8] = aten::mul.Scalar(%x, 2.0)", "f32[8]", "f32[8]");
}

TEST(Simplify, DropsOnlyTheZerosThatKeepTheSignOfZero) {
  expect_forwards_x("%a: f32[8] = torchweld::add(%x, -0.0)", "f32[8]");
  expect_forwards_x("%a: f32[8] = torchweld::sub(%x, 0.0)", "f32[8]");
  expect_forwards_x("%a: i64[8] = torchweld::add(%x, 0)", "i64[8]");
  expect_keeps("%a: f32[8] = torchweld::add(%x, 0.0)", "f32[8]", "f32[8]");
  expect_keeps("%a: f32[8] = torchweld::add(%x, 0)", "f32[8]", "f32[8]");
  expect_keeps("%a: f32[8] = torchweld::sub(%x, -0.0)", "f32[8]", "f32[8]");
}

TEST(Simplify, DropsAFactorOfOneInScaledSums) {
  expect_pass(pass_named("simplify"), R"(graph(%x: f32[8], %y: f32[8]):
                %a: f32[8] = aten::add.Tensor(%x, %y, 1)
                %b: f32[8] = aten::sub.Tensor(%a, %y, 1.0)
                %c: f32[8] = aten::rsub.Scalar(%b, 2.0, 1)
                %d: f32[8] = aten::add.Tensor(%c, %y, 2)
                return %d)",
              R"(graph(%x: f32[8], %y: f32[8]):
                %a: f32[8] = torchweld::add(%x, %y)
                %b: f32[8] = torchweld::sub(%a, %y)
                %c: f32[8] = torchweld::sub(2.0, %b)
                %d: f32[8] = aten::add.Tensor(%c, %y, 2)
                return %d)");
}

TEST(Simplify, JoinsCastsWhoseMiddleHoldsEveryValue) {
  expect_forwards_x("%w: f32[8] = torchweld::cast(%x) %a: bf16[8] = torchweld::cast(%w)", "bf16[8]");
  expect_keeps("%w: bf16[8] = torchweld::cast(%x) %a: f32[8] = torchweld::cast(%w)", "f32[8]", "f32[8]");
  expect_keeps("%w: f64[8] = torchweld::cast(%x) %a: i64[8] = torchweld::cast(%w)", "i64[8]", "i64[8]");
}

TEST(Simplify, JoinsViews) {
  expect_pass(pass_named("simplify"), R"(graph(%x: f32[2,3,4]):
                %a: f32[6,4] = torchweld::reshape(%x, [6, 4])
                %b: f32[24] = torchweld::reshape(%a, [24])
                %c: f32[4,2,3]{1,12,4} = torchweld::permute(%x, [2, 0, 1])
                %d: f32[3,4,2]{4,1,12} = torchweld::permute(%c, [2, 0, 1])
                return %b, %d)",
              R"(graph(%x: f32[2,3,4]):
                %a: f32[6,4] = torchweld::reshape(%x, [6, 4])
                %b: f32[24] = torchweld::reshape(%x, [24])
                %c: f32[4,2,3]{1,12,4} = torchweld::permute(%x, [2, 0, 1])
                %d: f32[3,4,2]{4,1,12} = torchweld::permute(%x, [1, 2, 0])
                return %b, %d)");
  expect_forwards_x("%p: f32[3,2]{1,3} = torchweld::permute(%x, [1, 0]) %a: f32[2,3] = torchweld::permute(%p, [1, 0])",
                    "f32[2,3]");
  expect_forwards_x("%a: f32[2,3] = torchweld::slice(%x, 1, 0, 1)", "f32[2,3]");
}

TEST(Simplify, LetsAnOutputKeepItsOwnNode) {
  expect_unchanged(pass_named("simplify"), "graph(%x: f32[8]): %a: f32[8] = aten::mul.Scalar(%x, 1) return %a");
}

}  // namespace
}  // namespace torchweld::graph
