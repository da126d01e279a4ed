#include "fusion/sink_slices.h"

#include <gtest/gtest.h>

#include "graph/passes.h"

namespace torchweld {
namespace {

void expect_sunk(std::string_view before, std::string_view after) {
  const graph::Graph graph = graph::parse(before);
  verify(graph);
  const graph::Graph sunk = fusion::sink_slices(graph);
  verify(sunk);
  EXPECT_EQ(to_text(sunk), to_text(graph::parse(after)));
  EXPECT_EQ(to_text(fusion::sink_slices(sunk)), to_text(sunk));
}

void expect_unchanged(std::string_view text) { expect_sunk(text, text); }

TEST(SinkSlices, TakesPartsOfOperandsInPlaceOfTheResult) {
  expect_sunk(R"(graph(%x: f32[2,8], %b: f32[8]):
                   %s: f32[2,8] = torchweld::add(%x, %b)
                   %p: f32[2,4]{8,1} = torchweld::slice(%s, 1, 0, 1)
                   %q: f32[2,4]{8,1} = torchweld::slice(%s, 1, 4, 1)
                   %y: f32[2,4] = aten::mul.Tensor(%p, %q)
                   return %y)",
              R"(graph(%x: f32[2,8], %b: f32[8]):
                   %2: f32[2,4]{8,1}@align4 = torchweld::slice(%x, 1, 0, 1)
                   %3: f32[4]@align4 = torchweld::slice(%b, 0, 0, 1)
                   %p: f32[2,4] = torchweld::add(%2, %3)
                   %5: f32[2,4]{8,1}@align4 = torchweld::slice(%x, 1, 4, 1)
                   %6: f32[4]@align4 = torchweld::slice(%b, 0, 4, 1)
                   %q: f32[2,4] = torchweld::add(%5, %6)
                   %y: f32[2,4] = aten::mul.Tensor(%p, %q)
                   return %y)");
}

TEST(SinkSlices, LeavesOperandsWholeThatBroadcastOverTheDim) {
  expect_sunk(R"(graph(%x: f32[2,8], %b: f32[2,1]):
                   %s: f32[2,8] = torchweld::add(%x, %b)
                   %p: f32[2,4]{8,1} = torchweld::slice(%s, 1, 0, 1)
                   %y: f32[2,4] = aten::relu(%p)
                   return %y)",
              R"(graph(%x: f32[2,8], %b: f32[2,1]):
                   %2: f32[2,4]{8,1}@align4 = torchweld::slice(%x, 1, 0, 1)
                   %p: f32[2,4] = torchweld::add(%2, %b)
                   %y: f32[2,4] = aten::relu(%p)
                   return %y)");
}

TEST(SinkSlices, GoesThroughChains) {
  expect_sunk(R"(graph(%x: f32[8]):
                   %a: f32[8] = torchweld::add(%x, 1)
                   %b: f32[8] = aten::mul.Tensor(%a, 2)
                   %p: f32[4] = torchweld::slice(%b, 0, 0, 1)
                   %y: f32[4] = aten::relu(%p)
                   return %y)",
              R"(graph(%x: f32[8]):
                   %1: f32[4]@align4 = torchweld::slice(%x, 0, 0, 1)
                   %2: f32[4] = torchweld::add(%1, 1)
                   %p: f32[4] = aten::mul.Tensor(%2, 2)
                   %y: f32[4] = aten::relu(%p)
                   return %y)");
}

TEST(SinkSlices, LeavesAValueThatIsUsedWhole) {
  expect_unchanged(R"(graph(%x: f32[8]):
                        %a: f32[8] = aten::relu(%x)
                        %p: f32[4] = torchweld::slice(%a, 0, 0, 1)
                        %y: f32[4] = aten::relu(%p)
                        return %y, %a)");
}

TEST(SinkSlices, DoesNotComputeDearValuesTwice) {
  expect_unchanged(R"(graph(%x: f32[8]):
                        %a: f32[8] = aten::exp(%x)
                        %p: f32[7] = torchweld::slice(%a, 0, 0, 1)
                        %q: f32[7]@align4 = torchweld::slice(%a, 0, 1, 1)
                        %y: f32[7] = torchweld::sub(%q, %p)
                        return %y)");
}

TEST(SinkSlices, LeavesASliceThatIsAnOutput) {
  expect_unchanged(R"(graph(%x: f32[8]):
                        %a: f32[8] = aten::relu(%x)
                        %p: f32[4] = torchweld::slice(%a, 0, 0, 1)
                        return %p)");
}

}  // namespace
}  // namespace torchweld
