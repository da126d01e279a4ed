#include <gtest/gtest.h>

#include "fusion/plan.h"
#include "fusion/primitives.h"

namespace torchweld {
namespace {

using fusion::Plan;
using fusion::PlanOptions;

/// "reason %value details", or "" where there is none.
std::string text_of(const graph::Graph& graph, const std::optional<fusion::Refusal>& refusal) {
  if (!refusal) return "";
  std::string text(name_of(refusal->reason));
  if (refusal->value.index >= 0) text += " %" + graph.name(refusal->value);
  return refusal->details.empty() ? text : text + " " + refusal->details;
}

/// Why the nodes that compute two values do not share a kernel.
std::string why_apart(std::string_view primitive, std::string_view producer, std::string_view consumer) {
  const graph::Graph graph = graph::parse(primitive);
  verify(graph);
  std::int32_t from = -1;
  std::int32_t to = -1;
  for (std::int32_t value = 0; value < graph.num_values(); ++value) {
    if (graph.name({value}) == producer) from = graph.producer({value});
    if (graph.name({value}) == consumer) to = graph.producer({value});
  }
  return text_of(graph, fusion::why_not_fuse(graph, from, to));
}

/// One line for each edge of the plan.
std::string edges_of(std::string_view primitive, const PlanOptions& options = {}) {
  const graph::Graph graph = graph::parse(primitive);
  const auto made = fusion::make_plan(graph, options);
  std::string text;
  for (const fusion::Edge& edge : std::get<Plan>(made).edges)
    text += "%" + graph.name(edge.value) + " " + std::to_string(edge.from_group) + "->" +
            std::to_string(edge.to_group) + " " + std::to_string(edge.bytes) + " " + text_of(graph, edge.refusal) +
            "\n";
  return text;
}

TEST(WhyNotFuse, APointwiseProducerMayJoin) {
  EXPECT_EQ(why_apart(R"(graph(%x: f32[8]):
                           %a: f32[8] = aten::relu(%x)
                           %b: f32[8] = aten::sigmoid(%a)
                           return %b)",
                      "a", "b"),
            "");
}

TEST(WhyNotFuse, ReshapeThatCutsAcrossTheAxes) {
  EXPECT_EQ(why_apart(R"(graph(%x: f32[3,4]):
                           %p: f32[3,4] = aten::relu(%x)
                           %q: f32[4,3]{1,4} = torchweld::permute(%p, [1, 0])
                           %s: f32[6,2] = torchweld::reshape(%q, [6, 2])
                           %b: f32[6,2] = aten::relu(%s)
                           return %b)",
                      "p", "b"),
            "reshape_does_not_align %s [4,3] to [6,2]");
}

TEST(WhyNotFuse, SliceOfAComputedValue) {
  EXPECT_EQ(why_apart(R"(graph(%x: f32[8]):
                           %a: f32[8] = aten::relu(%x)
                           %s: f32[4] = torchweld::slice(%a, 0, 2, 1)
                           %b: f32[4] = aten::sigmoid(%s)
                           return %a, %b)",
                      "a", "b"),
            "slice_of_computed_value %s [4]");
}

TEST(WhyNotFuse, OutputsOverDifferentAxes) {
  EXPECT_EQ(why_apart(R"(graph(%x: f32[8], %y: f32[8,4], %z: f32[5,8]):
                           %r: f32[8,1] = torchweld::reshape(%x, [8, 1])
                           %a: f32[8,4] = torchweld::add(%y, %r)
                           %b: f32[5,8] = torchweld::add(%z, %x)
                           return %a, %b)",
                      "a", "b"),
            "domains_disagree %a [8,4] in [8,4,5]");
}

TEST(WhyNotFuse, AComputedValueAndItsTranspose) {
  EXPECT_EQ(why_apart(R"(graph(%x: f32[8,8]):
                           %a: f32[8,8] = aten::relu(%x)
                           %t: f32[8,8]{1,8} = torchweld::permute(%a, [1, 0])
                           %b: f32[8,8] = torchweld::add(%a, %t)
                           return %b)",
                      "a", "b"),
            "two_index_maps %x two of its dims are one axis");
}

TEST(WhyNotFuse, ReductionsOverDifferentDims) {
  EXPECT_EQ(why_apart(R"(graph(%x: f32[8,4]):
                           %a: f32[8] = torchweld::sum(%x, [1])
                           %b: f32[4] = torchweld::sum(%x, [0])
                           return %a, %b)",
                      "a", "b"),
            "reduces_other_dims %b [8] against [4]");
}

TEST(WhyNotFuse, ReductionThatRowsShare) {
  EXPECT_EQ(why_apart(R"(graph(%x: f32[8,4], %w: f32[4]):
                           %a: f32[] = torchweld::max(%w, [0])
                           %b: f32[8,4] = torchweld::sub(%x, %a)
                           return %b)",
                      "a", "b"),
            "reduction_repeats_per_row %a [] in rows of [8,4]");
}

TEST(WhyNotFuse, OutputSmallerThanTheLoops) {
  EXPECT_EQ(why_apart(R"(graph(%x: f32[8,4], %w: f32[4]):
                           %a: f32[4] = aten::relu(%w)
                           %b: f32[8,4] = torchweld::add(%x, %a)
                           return %a, %b)",
                      "a", "b"),
            "output_does_not_span_domain %a [4] in [4,8]");
}

TEST(WhyNotFuse, APathThroughAThirdKernel) {
  EXPECT_EQ(why_apart(R"(graph(%x: f32[8,8]):
                           %a: f32[8,8] = aten::relu(%x)
                           %t: f32[8,8]{1,8} = torchweld::permute(%a, [1, 0])
                           %m: f32[8,8] = aten::sigmoid(%t)
                           %b: f32[8,8] = torchweld::add(%a, %m)
                           return %b)",
                      "a", "b"),
            "path_leaves_and_returns");
}

TEST(WhyNotFuse, NothingInCommon) {
  EXPECT_EQ(why_apart(R"(graph(%x: f32[8], %y: f32[8]):
                           %a: f32[8] = aten::relu(%x)
                           %b: f32[8] = aten::relu(%y)
                           return %a, %b)",
                      "a", "b"),
            "not_connected");
}

TEST(WhyNotFuse, SiblingsThatShareLittle) {
  EXPECT_EQ(why_apart(R"(graph(%x: f32[8,16], %y: f32[8,16], %w: f32[8,16]{0,1}):
                           %a: f32[8,16] = torchweld::add(%x, %w)
                           %b: f32[8,16] = torchweld::add(%y, %w)
                           return %a, %b)",
                      "a", "b"),
            "not_profitable shares 64 of 1088 bytes");
}

TEST(WhyNotFuse, OneLongRow) {
  EXPECT_EQ(why_apart(R"(graph(%x: f32[100000]):
                           %a: f32[] = torchweld::sum(%x, [0])
                           %b: f32[100000] = aten::div.Tensor(%x, %a)
                           return %b)",
                      "a", "b"),
            "not_profitable 1 row of 100000");
}

TEST(WhyNotFuse, ALittleComputedAgainForEveryRow) {
  EXPECT_EQ(why_apart(R"(graph(%x: f32[8,16], %w: f32[16]):
                           %a: f32[16] = aten::exp(%w)
                           %b: f32[8,16] = torchweld::add(%x, %a)
                           return %b)",
                      "a", "b"),
            "");
}

TEST(Edges, TellThatMuchWouldBeComputedAgainForEveryRow) {
  std::string text = "graph(%x: f32[8,16], %w: f32[16]):\n%e0: f32[16] = aten::exp(%w)\n";
  for (int at = 1; at < 7; ++at)
    text += "%e" + std::to_string(at) + ": f32[16] = aten::exp(%e" + std::to_string(at - 1) + ")\n";
  EXPECT_EQ(edges_of(text + "%b: f32[8,16] = torchweld::add(%x, %e6)\nreturn %b"),
            "%e6 0->1 128 not_profitable repeats operations of weight 63\n");
}

TEST(Edges, TellTheRefusalAndTheBytesOfAValueBetweenTwoKernels) {
  EXPECT_EQ(edges_of(R"(graph(%x: f32[8,8]):
                          %a: f32[8,8] = aten::relu(%x)
                          %t: f32[8,8]{1,8} = torchweld::permute(%a, [1, 0])
                          %b: f32[8,8] = torchweld::add(%a, %t)
                          return %b)"),
            "%a 0->1 512 two_index_maps %x two of its dims are one axis\n");
}

TEST(Edges, OfAnInputThatTwoKernelsReadCostTheSecondRead) {
  EXPECT_EQ(edges_of(R"(graph(%x: f32[8,4]):
                          %a: f32[8] = torchweld::sum(%x, [1])
                          %b: f32[4] = torchweld::sum(%x, [0])
                          return %a, %b)"),
            "%x -1->1 128 reduces_other_dims %b [8] against [4]\n");
}

TEST(Edges, OfAnOutputThatIsReadAgainCostTheReadOnly) {
  EXPECT_EQ(edges_of(R"(graph(%x: f32[8]):
                          %a: f32[8] = aten::relu(%x)
                          %s: f32[4] = torchweld::slice(%a, 0, 2, 1)
                          %b: f32[4] = aten::sigmoid(%s)
                          return %a, %b)"),
            "%a 0->1 16 slice_of_computed_value %s [4]\n");
}

TEST(Edges, SayThatFusionIsOff) {
  EXPECT_EQ(edges_of(R"(graph(%x: f32[8]):
                          %a: f32[8] = aten::relu(%x)
                          %b: f32[8] = aten::sigmoid(%a)
                          return %b)",
                     PlanOptions{.fuse = false}),
            "%a 0->1 64 not_profitable fusion is off\n");
}

TEST(Edges, TellWhatAnOperandBudgetCost) {
  EXPECT_EQ(edges_of(R"(graph(%x: f32[8], %y: f32[8], %z: f32[8]):
                          %a: f32[8] = torchweld::add(%x, %y)
                          %b: f32[8] = torchweld::add(%a, %z)
                          return %b)",
                     PlanOptions{.max_operands = 3}),
            "%a 0->1 64 too_many_operands 4 of 3\n");
}

TEST(Edges, TellWhatTheRegistersCost) {
  // All products live until the sums.
  std::string text = "graph(%x: f32[8]):\n";
  constexpr int kProducts = 100;
  std::string last = "x";
  for (int at = 0; at < kProducts; ++at) {
    const std::string name = "p" + std::to_string(at);
    text += "%" + name + ": f32[8] = aten::mul.Tensor(%" + last + ", %x)\n";
    last = name;
  }
  for (int at = 0; at < kProducts; ++at) {
    const std::string name = "s" + std::to_string(at);
    text += "%" + name + ": f32[8] = torchweld::add(%" + last + ", %p" + std::to_string(at) + ")\n";
    last = name;
  }
  const std::string edges = edges_of(text + "return %" + last, PlanOptions{.max_operands = 1000});
  EXPECT_NE(edges.find("too_many_live_values"), std::string::npos) << edges;
}

TEST(Reasons, HaveNames) {
  EXPECT_EQ(name_of(fusion::Reason::reshape_does_not_align), "reshape_does_not_align");
  EXPECT_EQ(name_of(fusion::Reason::indirect_load_of_computed_value), "indirect_load_of_computed_value");
  EXPECT_EQ(name_of(fusion::Reason::not_connected), "not_connected");
}

}  // namespace
}  // namespace torchweld
