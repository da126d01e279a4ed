#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "codegen/kernel.h"
#include "codegen/nvrtc.h"
#include "fusion/primitives.h"

namespace torchweld {
namespace {

struct Golden {
  const char* name;
  const char* region;
};

constexpr const char* kResidualLayerNorm =
    R"(graph(%x: bf16[16384,4096], %b: bf16[4096], %r: bf16[16384,4096], %w: bf16[4096], %c: bf16[4096]):
    %a: tensor = aten::add.Tensor(%x, %b, 1)
    %d: tensor = aten::add.Tensor(%a, %r, 1)
    %y: tensor = aten::layer_norm(%d, [4096], %w, %c, 0.00001, True)
    return %y)";

// A dozen kernels to read: each schedule, kind of end and access pattern at least once.
constexpr Golden kGoldens[] = {
    {"swish_bf16", R"(graph(%x: bf16[8192,16384]):
    %s: tensor = aten::sigmoid(%x)
    %y: tensor = aten::mul.Tensor(%x, %s)
    return %y)"},
    {"swish_f32_ragged", R"(graph(%x: f32[1001,1001]):
    %s: tensor = aten::sigmoid(%x)
    %y: tensor = aten::mul.Tensor(%x, %s)
    return %y)"},
    {"bias_gelu_f16", R"(graph(%x: f16[16384,8192], %b: f16[8192]):
    %a: tensor = aten::add.Tensor(%x, %b, 1)
    %y: tensor = aten::gelu(%a, "none")
    return %y)"},
    {"bias_odd_columns_f32", R"(graph(%x: f32[4096,1001], %b: f32[1001]):
    %y: tensor = aten::add.Tensor(%x, %b, 1)
    return %y)"},
    {"add_transposed_f32", R"(graph(%x: f32[4096,4096], %t: f32[4096,4096]{1,4096}):
    %y: tensor = aten::add.Tensor(%x, %t, 2)
    return %y)"},
    {"relu_transposed_bf16", R"(graph(%x: bf16[8,1000,768], %t: bf16[8,1000,768]{768000,1,1000}, %b: bf16[768]):
    %r: tensor = aten::relu(%t)
    %s: tensor = aten::add.Tensor(%x, %r, 1)
    %y: tensor = aten::mul.Tensor(%s, %b)
    return %y)"},
    {"cat_relu_bf16", R"(graph(%a: bf16[4096,512], %b: bf16[4096,1024]):
    %c: tensor = aten::cat([%a, %b], 1)
    %y: tensor = aten::relu(%c)
    return %y)"},
    {"softmax_bf16_4096", R"(graph(%x: bf16[16384,4096]):
    %y: tensor = aten::softmax.int(%x, -1, None)
    return %y)"},
    {"softmax_bf16_4095", R"(graph(%x: bf16[16384,4095]):
    %y: tensor = aten::softmax.int(%x, -1, None)
    return %y)"},
    {"softmax_masked_f16", R"(graph(%x: f16[8,16,1024,1024], %m: f16[8,1,1,1024]):
    %s: tensor = aten::mul.Scalar(%x, 0.125)
    %a: tensor = aten::add.Tensor(%s, %m, 1)
    %y: tensor = aten::softmax.int(%a, -1, None)
    return %y)"},
    {"softmax_long_f32", R"(graph(%x: f32[512,131072]):
    %y: tensor = aten::softmax.int(%x, -1, None)
    return %y)"},
    {"softmax_middle_f32", R"(graph(%x: f32[64,256,1024]):
    %y: tensor = aten::softmax.int(%x, 1, None)
    return %y)"},
    {"softmax_middle_long_f32", R"(graph(%x: f32[64,4096,1024]):
    %y: tensor = aten::softmax.int(%x, 1, None)
    return %y)"},
    {"sum_columns_bf16", R"(graph(%x: bf16[512,65536]):
    %y: tensor = aten::sum.dim_IntList(%x, [0], False, None)
    return %y)"},
    {"sum_tall_columns_bf16", R"(graph(%x: bf16[32768,4096]):
    %y: tensor = aten::sum.dim_IntList(%x, [0], False, None)
    return %y)"},
    {"mean_of_all_f32", R"(graph(%x: f32[4096,4097]):
    %y: tensor = aten::mean(%x, None)
    return %y)"},
    {"residual_layer_norm_bf16", kResidualLayerNorm},
    {"group_norm_silu_f16", R"(graph(%x: f16[16,512,32,32], %w: f16[512], %b: f16[512]):
    %n: tensor = aten::group_norm(%x, 32, %w, %b, 0.00001, True)
    %y: tensor = aten::silu(%n)
    return %y)"},
    {"argmax_f32", R"(graph(%x: f32[4096,1000]):
    %y: tensor = aten::argmax(%x, 1, False)
    return %y)"},
};

codegen::Target cuda() {
  codegen::Target target;
  target.backend = codegen::Backend::cuda;
  return target;
}

/// The kernels of a region, one after the other.
std::string text_of(const char* region) {
  const graph::Graph primitive = testing::primitives_of(region);
  std::string text;
  for (const fusion::Group& group : testing::plan_of(primitive).groups)
    for (const codegen::Kernel& kernel : codegen::print_kernels(primitive, group, cuda()))
      text += (text.empty() ? "" : "\n") + kernel.text;
  return text;
}

std::string read(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(GoldenKernels, AreUnchanged) {
  const bool updates = std::getenv("TORCHWELD_UPDATE_GOLDENS") != nullptr;
  for (const Golden& golden : kGoldens) {
    const std::string path = fmt::format("{}/tests/golden/{}.cu", TORCHWELD_SOURCE_DIR, golden.name);
    const std::string text = text_of(golden.region);
    if (updates) std::ofstream(path) << text;
    EXPECT_EQ(text, read(path)) << golden.name << ": run with TORCHWELD_UPDATE_GOLDENS=1 and review the difference";
  }
}

TEST(GoldenKernels, CompileForTheDevice) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << "no NVRTC library";
  const std::string prelude(codegen::prelude(codegen::Backend::cuda));
  for (const Golden& golden : kGoldens)
    EXPECT_EQ(testing::nvrtc_errors(prelude + text_of(golden.region)), "") << golden.name;
}

TEST(GoldenKernels, DoNotSpill) {
  if (!testing::has_nvrtc()) GTEST_SKIP() << "no NVRTC library";
  const std::string prelude(codegen::prelude(codegen::Backend::cuda));
  for (const Golden& golden : kGoldens)
    EXPECT_EQ(testing::nvrtc_spilled_bytes(prelude + text_of(golden.region)), 0) << golden.name;
}

TEST(GoldenKernels, AreOneKernelEach) {
  for (const Golden& golden : kGoldens)
    EXPECT_EQ(testing::plan_of(testing::primitives_of(golden.region)).groups.size(), 1u) << golden.name;
}

}  // namespace
}  // namespace torchweld
