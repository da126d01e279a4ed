#include "graph/round_every_op.h"

#include <gtest/gtest.h>

#include "graph/passes.h"

namespace torchweld::graph {
namespace {

std::string rounded(std::string_view region) { return to_text(round_every_op(parse(region))); }

std::string printed(std::string_view graph) { return to_text(parse(graph)); }

TEST(RoundEveryOp, RoundsWhatIsComputedAndNotWhatIsOnlyViewed) {
  EXPECT_EQ(rounded(R"(graph(%x: tensor, %n: int):
                         %a: tensor = aten::relu(%x)
                         %t: tensor = aten::t(%a)
                         %s: tensor = aten::softmax.int(%t, %n, None)
                         return %s)"),
            printed(R"(graph(%x: tensor, %n: int):
                         %0: tensor = aten::relu(%x)
                         %a: tensor = torchweld::round(%0)
                         %t: tensor = aten::t(%a)
                         %1: tensor = aten::softmax.int(%t, %n, None)
                         %s: tensor = torchweld::round(%1)
                         return %s)"));
}

TEST(RoundEveryOp, LeavesNumbersAlone) {
  constexpr std::string_view kRegion = R"(graph(%x: tensor):
                                            %n: int = aten::size.int(%x, 0)
                                            %v: tensor = aten::unsqueeze(%x, %n)
                                            return %v)";
  EXPECT_EQ(rounded(kRegion), printed(kRegion));
}

}  // namespace
}  // namespace torchweld::graph
