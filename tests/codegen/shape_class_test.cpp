#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/cases.h"
#include "codegen/kernel.h"
#include "codegen/nvrtc.h"
#include "fusion/primitives.h"

namespace torchweld {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

std::vector<codegen::Kernel> kernels_of(const std::string& region, codegen::Backend backend = codegen::Backend::cuda) {
  const graph::Graph primitive = testing::primitives_of(region);
  const fusion::Plan plan = testing::plan_of(primitive);
  EXPECT_EQ(plan.groups.size(), 1u);
  codegen::Target target;
  target.backend = backend;
  return codegen::print_kernels(primitive, plan.groups.at(0), target);
}

codegen::Kernel kernel_of(const std::string& region, codegen::Backend backend = codegen::Backend::cuda) {
  const std::vector<codegen::Kernel> kernels = kernels_of(region, backend);
  EXPECT_EQ(kernels.size(), 1u);
  return kernels.at(0);
}

std::string scaled(const char* sizes, double scale) {
  return fmt::format(R"(graph(%x: f32[{}]):
    %y: tensor = aten::mul.Scalar(%x, {})
    return %y)",
                     sizes, scale);
}

std::string softmax(const std::string& type) {
  return fmt::format(R"(graph(%x: {}):
    %y: tensor = aten::softmax.int(%x, -1, None)
    return %y)",
                     type);
}

std::string argument_of(const codegen::Kernel& kernel, std::size_t i) {
  return std::to_string(std::get<codegen::IntArgument>(kernel.arguments.at(i)).value);
}

void expect_compiles(const codegen::Kernel& kernel) {
  if (!testing::has_nvrtc()) return;
  EXPECT_EQ(testing::nvrtc_errors(std::string(codegen::prelude(codegen::Backend::cuda)) + kernel.text), "");
}

TEST(ShapeClass, SizesAndNumbersAreNoPartOfTheText) {
  EXPECT_EQ(kernel_of(scaled("4096,1024", 2.5)).text, kernel_of(scaled("8192,4096", 1.0)).text);
  EXPECT_EQ(kernel_of(softmax("bf16[300,4096]")).text, kernel_of(softmax("bf16[7000,4096]")).text);
  EXPECT_EQ(kernel_of(softmax("bf16[300,3000]")).text, kernel_of(softmax("bf16[300,3992]")).text);
  for (const auto backend : {codegen::Backend::cuda, codegen::Backend::host})
    EXPECT_EQ(kernel_of(scaled("4097,1023", 2.5), backend).text, kernel_of(scaled("8193,4095", 0.0), backend).text);
}

TEST(ShapeClass, PointwiseTilesShrinkUntilTheyFillTheDevice) {
  EXPECT_EQ(kernel_of(scaled("8192,16384", 2)).schedule, "pointwise V4 T128 K2 exact");
  EXPECT_EQ(kernel_of(scaled("132,1024", 2)).schedule, "pointwise V4 T128 K2 exact");
  EXPECT_EQ(kernel_of(scaled("132,512", 2)).schedule, "pointwise V4 T128 K1 exact");
  EXPECT_EQ(kernel_of(scaled("100,100", 2)).schedule, "pointwise V4 T32 K1");
  EXPECT_EQ(kernel_of(scaled("9,11", 2)).schedule, "pointwise V4 T32 K1 ragged");
}

TEST(ShapeClass, RowsAreKeptOnChipUntilTheyAreTooLong) {
  EXPECT_EQ(kernel_of(softmax("bf16[9000,64]")).schedule, "row V8 T128 P8 K1 exact");
  EXPECT_EQ(kernel_of(softmax("bf16[9000,1024]")).schedule, "row V8 T128 P32 K4 exact");
  EXPECT_EQ(kernel_of(softmax("bf16[9000,4096]")).schedule, "row V8 T256 K2 exact");
  EXPECT_EQ(kernel_of(softmax("bf16[9000,4095]")).schedule, "row V8 T256 K2 shifted");
  EXPECT_EQ(kernel_of(softmax("bf16[900,65536]")).schedule, "row V8 T1024 K8 exact");
  EXPECT_EQ(kernel_of(softmax("bf16[900,65544]")).schedule, "online row V8 T512 K4");
}

std::string sum(const std::string& type, const std::string& dims) {
  return fmt::format(R"(graph(%x: {}):
    %y: tensor = aten::sum.dim_IntList(%x, [{}], False, None)
    return %y)",
                     type, dims);
}

std::string softmax_middle(const std::string& type) {
  return fmt::format(R"(graph(%x: {}):
    %y: tensor = aten::softmax.int(%x, 1, None)
    return %y)",
                     type);
}

TEST(ShapeClass, ColumnsAreKeptOnChipUntilTheyAreTooLong) {
  EXPECT_EQ(kernel_of(softmax_middle("f32[64,8,1024]")).schedule, "column V4 T256 P2 K4 exact");
  EXPECT_EQ(kernel_of(softmax_middle("f32[64,128,1024]")).schedule, "column V4 T256 P32 K4 exact");
  EXPECT_EQ(kernel_of(softmax_middle("f32[64,256,1024]")).schedule, "column V4 T512 P64 K4 exact");
  EXPECT_EQ(kernel_of(softmax_middle("f32[64,1000,1024]")).schedule, "column V4 T1024 P128 K8");
  EXPECT_EQ(kernel_of(softmax_middle("f32[64,4096,1024]")).schedule, "online column V4 T512 P32 K8");
}

std::string mean_of_all(const std::string& type) {
  return fmt::format("graph(%x: {}):\n  %y: tensor = aten::mean(%x, None)\n  return %y", type);
}

void expect_split(const std::string& region, const char* partial, std::int64_t blocks, const char* combined) {
  const std::vector<codegen::Kernel> kernels = kernels_of(region);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].schedule, partial);
  EXPECT_EQ(kernels[0].launch.grid, blocks);
  EXPECT_GT(kernels[0].partial_bytes, 0);
  EXPECT_EQ(kernels[1].schedule, combined);
}

TEST(ShapeClass, ReductionsWithFewResultsAreSplitUntilTheyFillTheDevice) {
  expect_split(sum("bf16[32768,4096]", "0"), "looped column partial V8 T1024 P64 K8", 256,
               "looped column combined V1 T128 P8 K1");
  expect_split(mean_of_all("f32[4096,4096]"), "looped row partial V4 T512 K4", 264,
               "looped row combined V1 T128 P32 K1");
  expect_split(mean_of_all("f32[4097,4097]@align4"), "looped row partial V4 T512 K4 shifted", 264,
               "looped row combined V1 T128 P32 K1");
  expect_split(sum("f32[7,300,20,1000]", "1, 2, 3"), "looped row partial V4 T512 K4", 259,
               "looped row combined V1 T128 P32 K1");
}

TEST(ShapeClass, SplitCasesAreSplitOnASmallDevice) {
  codegen::Target target;
  target.backend = codegen::Backend::cuda;
  target.multiprocessors = 4;  // as in emulated_kernels_test.cpp
  for (const auto& [name, region] : testing::split_regions()) {
    const graph::Graph primitive = testing::primitives_of(region);
    const fusion::Plan plan = testing::plan_of(primitive);
    EXPECT_EQ(codegen::print_kernels(primitive, plan.groups.at(0), target).size(), 2u) << name;
  }
}

TEST(ShapeClass, SmallReductionsAndThoseThatFillTheDeviceAreNotSplit) {
  EXPECT_EQ(kernel_of(sum("bf16[512,65536]", "0")).schedule, "looped column V8 T1024 P64 K8");
  EXPECT_EQ(kernel_of(sum("bf16[512,256]", "0")).schedule, "looped column V8 T1024 P64 K8");
  EXPECT_EQ(kernel_of(mean_of_all("f32[64,64]")).schedule, "row V4 T512 K2 exact");
}

TEST(ShapeClass, SplitsAreNoPartOfTheText) {
  const auto few = kernels_of(sum("bf16[10000,4096]", "0")), many = kernels_of(sum("bf16[90000,4096]", "0"));
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(few.at(i).text, many.at(i).text);
}

TEST(ShapeClass, VectorsOfColumnsFitTheirAlignment) {
  EXPECT_EQ(kernel_of(softmax_middle("bf16[64,128,1024]")).schedule, "column V8 T256 P32 K4 exact");
  EXPECT_EQ(kernel_of(softmax_middle("bf16[64,128,1026]")).schedule, "column V2 T1024 P32 K4 exact");
  EXPECT_EQ(kernel_of(softmax_middle("bf16[64,128,1024]@align8")).schedule, "column V4 T512 P32 K4 exact");
}

TEST(ShapeClass, ColumnsBesideEachOtherWithContiguousRowsAreRows) {
  EXPECT_EQ(kernel_of(sum("f32[4096,1024]", "1")).schedule.substr(0, 3), "row");
  EXPECT_EQ(kernel_of(sum("f32[65536,512]{1,65536}", "1")).schedule, "looped column V4 T1024 P64 K8");
}

std::string add(const std::string& a, const std::string& b) {
  return fmt::format("graph(%a: {}, %b: {}):\n  %y: tensor = aten::add.Tensor(%a, %b, 1)\n  return %y", a, b);
}

TEST(ShapeClass, OperandsThatAreContiguousAlongAnotherLoopAreTurned) {
  const auto schedule = [](const std::string& a, const std::string& b) { return kernel_of(add(a, b)).schedule; };
  EXPECT_EQ(schedule("f32[4096,4096]", "f32[4096,4096]{1,4096}"), "transposed V1 T256 K4 exact");
  EXPECT_EQ(schedule("f32[4095,4096]", "f32[4095,4096]{1,4095}"), "transposed V1 T256 K4");
  EXPECT_EQ(schedule("bf16[4096,4096]", "bf16[4096,4096]{1,4096}"), "transposed V2 T256 K8 exact");
  EXPECT_EQ(schedule("bf16[4095,4096]", "bf16[4095,4096]{1,4095}"), "transposed V1 T256 K4");
  EXPECT_EQ(schedule("f32[8,64,4096]", "f32[8,64,4096]{262144,1,64}"), "transposed V1 T256 K4 exact");
}

TEST(ShapeClass, OutputsAreTurnedToo) {
  const codegen::Kernel kernel = kernel_of(R"(graph(%x: f32[512,384], %t: f32[512,384]{1,512}):
    %y: tensor = aten::add.Tensor(%x, %t, 1)
    %z: tensor = aten::relu(%t)
    return %y, %z)");
  EXPECT_EQ(kernel.schedule, "transposed V1 T256 K4 exact");
  EXPECT_THAT(kernel.text, HasSubstr("out2[j_0 + j_1 * out2_stride1] = out2_square[x][y + k * 8];"));
  expect_compiles(kernel);
}

TEST(ShapeClass, ShortLoopsAndVectorsOfChannelsAreNotTurned) {
  const auto schedule = [](const std::string& a, const std::string& b) { return kernel_of(add(a, b)).schedule; };
  EXPECT_EQ(schedule("f32[8,4096,8]", "f32[8,4096,8]{32768,1,4096}").substr(0, 9), "pointwise");
  EXPECT_EQ(schedule("f32[8,64,32,64]", "f32[8,64,32,64]{131072,64,4096,1}").substr(0, 9), "pointwise");
}

TEST(ShapeClass, MisalignedOperandsAreAccessedInSmallerWords) {
  EXPECT_THAT(kernel_of("graph(%x: bf16[4096,4096]@align4):\n  %y: tensor = aten::relu(%x)\n  return %y").text,
              HasSubstr("load<8, 4>(in0 + j)"));
}

TEST(ShapeClass, IndicesAreWideOnlyPastTwoToThe31) {
  EXPECT_THAT(kernel_of(scaled("32768,65535", 2)).text, HasSubstr("const unsigned first"));
  const codegen::Kernel wide = kernel_of(scaled("32768,65537", 2));
  EXPECT_THAT(wide.text, HasSubstr("const i64 first"));
  EXPECT_THAT(wide.schedule, EndsWith("wide"));
  expect_compiles(wide);
}

TEST(ShapeClass, WideIndicesAreSplitByWideDivisors) {
  const codegen::Kernel wide = kernel_of(R"(graph(%x: bf16[70000,33000], %b: bf16[33000]):
    %y: tensor = aten::add.Tensor(%x, %b, 1)
    return %y)");
  EXPECT_THAT(wide.text, HasSubstr("i64 extent1"));
  EXPECT_EQ(argument_of(wide, 4), "33000");
  expect_compiles(wide);
}

TEST(ShapeClass, ApproximateFormsOnlyReachSixteenBitOutputs) {
  EXPECT_THAT(kernel_of(softmax("bf16[300,4096]")).text, HasSubstr("exp_16("));
  EXPECT_THAT(kernel_of(softmax("f32[300,4096]")).text, ::testing::Not(HasSubstr("_16(")));
  // exp(x) - 1 would enlarge the error of the exponential.
  EXPECT_THAT(kernel_of(R"(graph(%x: bf16[300,4096]):
    %e: tensor = aten::exp(%x)
    %y: tensor = aten::sub.Scalar(%e, 1, 1)
    return %y)")
                  .text,
              ::testing::Not(HasSubstr("_16(")));
}

TEST(ShapeClass, NothingToDoLaunchesNothing) {
  EXPECT_EQ(kernel_of(scaled("0,4", 2)).launch.grid, 0);
  EXPECT_EQ(kernel_of(scaled("0,4", 2), codegen::Backend::host).launch.grid, 0);
  EXPECT_EQ(kernel_of(softmax("f32[0,4]")).launch.grid, 0);
}

}  // namespace
}  // namespace torchweld
