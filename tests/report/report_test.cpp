#include "report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

namespace torchweld::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// One region of two kernels with an edge between them, one fallback, and two kinds of nodes outside.
Report example() {
  Kernel first{.name = "mul_sum",
               .schedule = "row V4 T128 K2",
               .inputs = "f32[64,1024]",
               .outputs = "f32[64]",
               .bytes_read = 262144,
               .bytes_written = 256,
               .bytes_eager = 786688,
               .resources = std::nullopt};
  Kernel second = first;
  second.name = "exp";
  second.resources = Resources{.registers = 32, .shared_bytes = 128, .spilled_bytes = 0};
  Plan plan{.signature = "f32[64,1024]",
            .calls = 5,
            .kernels = {first, second},
            .edges = {{.value = "%4 f32[64]",
                       .from = "mul_sum",
                       .to = "exp",
                       .reason = "domains_disagree",
                       .details = "[64,1024] against [64]",
                       .bytes = 512}},
            .bytes_eager = 1048576,
            .bytes_planned = 525312,
            .bytes_ideal = 262400};
  Region region{.name = "torchweld_region_0",
                .ops = {"aten::mul.Tensor", "aten::sum.dim_IntList", "aten::exp"},
                .lines = {},
                .kernels_before = 3,
                .fused_calls = 5,
                .plans = {plan},
                .fallbacks = {{.reason = "device", .details = "", .count = 2}}};
  Method forward{.name = "forward",
                 .regions = {region},
                 .outside = {{.op = "aten::conv2d", .line = "model.py:3:9", .reason = Boundary::unknown_op, .count = 2},
                             {.op = "aten::add_.Tensor", .line = "", .reason = Boundary::writes_memory, .count = 1}},
                 .fusable_outside = 1};
  return {.model = "model.pt", .inputs = "f32[64,1024]", .target = "cpu", .refusal = "", .methods = {forward}};
}

TEST(ReportTotals, CountOpsThatWereAndThatCouldBeFused) {
  const Totals totals = totals_of(example());
  EXPECT_EQ(totals.ops_fused, 3);
  EXPECT_EQ(totals.ops_fusable, 4) << "add_ has a row in the op table, conv2d has none";
}

TEST(ReportTotals, CountSharedPlansOnceForEachRegion) {
  Report report = example();
  auto& regions = report.methods[0].regions;
  Plan larger = regions[0].plans[0];  // of two equal layers, one saw inputs of twice the size
  larger.bytes_planned *= 2;
  regions[0].plans = {regions[0].plans[0], larger};
  regions.push_back(regions[0]);
  const Totals totals = totals_of(report);
  EXPECT_EQ(totals.kernels_after, 4);
  EXPECT_EQ(totals.bytes_after, 525312 + 2 * 525312);
}

TEST(ReportTotals, SumKernelsBytesAndCalls) {
  const Totals totals = totals_of(example());
  EXPECT_EQ(totals.kernels_before, 3);
  EXPECT_EQ(totals.kernels_after, 2);
  EXPECT_EQ(totals.bytes_before, 1048576);
  EXPECT_EQ(totals.bytes_after, 525312);
  EXPECT_EQ(totals.bytes_ideal, 262400);
  EXPECT_EQ(totals.fused_calls, 5);
  EXPECT_EQ(totals.fallback_calls, 2);
}

TEST(ReportText, LeadsWithTheSums) {
  const std::string text = text_of(example());
  EXPECT_THAT(text, HasSubstr("model.pt\n"
                              "  inputs   f32[64,1024]\n"
                              "  target   cpu\n"
                              "  regions  1, with 3 of the 4 ops that could be fused\n"
                              "  kernels  3 before, 2 after\n"
                              "  bytes    1.00 MiB before, 513 KiB after, 256 KiB at best\n"
                              "  calls    5 fused, 2 fell back\n"));
}

TEST(ReportText, GivesTheReasonAndTheBytesOfEveryEdge) {
  EXPECT_THAT(text_of(example()), HasSubstr("    %4 f32[64] from mul_sum to exp: 512 B\n"
                                            "        domains_disagree: [64,1024] against [64]\n"));
}

TEST(ReportText, TellsThePlansOfEqualRegionsOnce) {
  Report report = example();
  auto& regions = report.methods[0].regions;
  regions.push_back(regions[0]);
  regions[1].name = "torchweld_region_1";
  EXPECT_THAT(text_of(report), HasSubstr("  3 ops: aten::mul.Tensor, aten::sum.dim_IntList, aten::exp\n"
                                         "  kernels as in region torchweld_region_0\n"));
}

TEST(ReportText, ShowsResourcesOnlyWhereKnown) {
  const std::string text = text_of(example());
  const std::string resources = "32 registers, 128 bytes of shared memory, 0 bytes spilled";
  EXPECT_THAT(text, HasSubstr(resources));
  EXPECT_EQ(text.find(resources), text.rfind(resources));
}

TEST(ReportText, ListsFallbacksAndNodesOutsideWithTheirReason) {
  const std::string text = text_of(example());
  EXPECT_THAT(text, HasSubstr("fell back 2 times: device\n"));
  EXPECT_THAT(text, HasSubstr("2 x aten::conv2d                   unknown_op       model.py:3:9\n"));
}

TEST(ReportText, StaysWithinItsWidth) {
  Report report = example();
  report.methods[0].regions[0].ops.assign(40, "aten::a_rather_long_name.of_an_overload");
  for (int i = 0; i < 40; ++i) report.methods[0].regions[0].ops[static_cast<std::size_t>(i)] += std::to_string(i);
  report.inputs = std::string(200, 'x');
  std::istringstream lines(text_of(report, {.columns = 80}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(ReportText, HasNoEscapesUnlessAskedFor) {
  EXPECT_THAT(text_of(example()), Not(HasSubstr("\033")));
  EXPECT_THAT(text_of(example(), {.colour = true}), HasSubstr("\033[1mmodel.pt\033[0m\n"));
}

TEST(ReportJson, HasAVersionAndTheSameFacts) {
  const auto json = nlohmann::json::parse(json_of(example()));
  EXPECT_EQ(json["version"], kJsonVersion);
  EXPECT_EQ(json["totals"]["ops_fusable"], 4);
  const auto& region = json["methods"][0]["regions"][0];
  EXPECT_EQ(region["plans"][0]["edges"][0]["reason"], "domains_disagree");
  EXPECT_EQ(region["plans"][0]["kernels"][1]["resources"]["registers"], 32);
  EXPECT_FALSE(region["plans"][0]["kernels"][0].contains("resources"));
  EXPECT_EQ(region["fallbacks"][0]["count"], 2);
  EXPECT_EQ(json["methods"][0]["outside"][0]["reason"], "unknown_op");
}

TEST(ReportJson, SurvivesTextThatIsNoUtf8) {
  Report report = example();
  report.model = "caf\xe9.pt";
  EXPECT_TRUE(nlohmann::json::accept(json_of(report)));
}

TEST(BytesText, KeepsThreeDigitsThatCount) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1536), "1.50 KiB");
  EXPECT_EQ(bytes_text(52428), "51.2 KiB");
  EXPECT_EQ(bytes_text(std::int64_t{3} << 30), "3.00 GiB");
}

}  // namespace
}  // namespace torchweld::report
