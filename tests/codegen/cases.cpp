#include "codegen/cases.h"

#include <fmt/format.h>

#include "codegen/region_texts.h"

namespace torchweld::testing {

std::vector<NamedRegion> pointwise_regions() {
  return {
      {"swish_exact", swish("bf16[16,512]")},
      {"swish_vectors", swish("f32[7,36]")},
      {"swish_ragged", swish("f16[3,5,7]")},
      {"swish_one", swish("f32[]")},
      {"swish_empty", swish("f32[0,4]")},
      {"swish_double", swish("f64[33]")},
      {"swish_misaligned", swish("bf16[64]@align2")},
      {"swish_words", swish("bf16[4,64]@align4")},
      {"swish_strided", swish("f32[6,10]{20,2}")},
      {"swish_transposed", swish("f32[6,10]{1,6}")},
      {"bias_rows", add("bf16[9,64]", "bf16[64]")},
      {"bias_rows_odd", add("bf16[9,31]", "bf16[31]")},
      {"bias_channels", add("f32[2,3,4,8]", "f32[3,1,1]")},
      {"bias_channels_odd", add("f32[2,3,5,7]", "f32[3,1,1]")},
      {"two_transposes", add("f32[12,20]", "f32[12,20]{1,12}")},
      {"uniform_operand", add("f32[40]", "f32[]")},
      {"mixed_widths", add("f32[3,40]", "bf16[3,40]")},
      {"wide_and_narrow", add("i64[3,40]", "u8[3,40]")},
      {"integers", R"(graph(%a: i32[50], %b: i32[50]):
    %m: tensor = aten::mul.Tensor(%a, %b)
    %f: tensor = aten::minimum(%m, %b)
    %r: tensor = aten::maximum(%a, %b)
    %y: tensor = aten::sub.Tensor(%f, %r, 3)
    return %y)"},
      {"masked", R"(graph(%x: f32[4,24], %m: bool[24]):
    %y: tensor = aten::masked_fill.Scalar(%x, %m, -1.5)
    return %y)"},
      {"open_number", R"(graph(%x: f32[70], %n: float):
    %y: tensor = aten::mul.Scalar(%x, %n)
    return %y)"},
      {"cat_rows", R"(graph(%a: f32[3,16], %b: f32[5,16]):
    %c: tensor = aten::cat([%a, %b], 0)
    %y: tensor = aten::relu(%c)
    return %y)"},
      {"cat_rows_odd", R"(graph(%a: bf16[3,5,2], %b: bf16[4,5,2]{10,1,5}):
    %c: tensor = aten::cat([%a, %b], 0)
    %y: tensor = aten::relu(%c)
    return %y)"},
      {"cat_columns", R"(graph(%a: bf16[6,5], %b: bf16[6,11]):
    %c: tensor = aten::cat([%a, %b], 1)
    %y: tensor = aten::relu(%c)
    return %y)"},
      {"cat_whole_vectors", R"(graph(%a: bf16[6,8], %b: bf16[6,24]):
    %c: tensor = aten::cat([%a, %b], 1)
    %y: tensor = aten::relu(%c)
    return %y)"},
      {"sliced", R"(graph(%x: bf16[8,64]):
    %s: tensor = aten::slice.Tensor(%x, 1, 3, 61, 2)
    %y: tensor = aten::relu(%s)
    return %y)"},
      {"flipped", R"(graph(%x: bf16[8,64]):
    %f: tensor = aten::flip(%x, [0, 1])
    %y: tensor = aten::relu(%f)
    return %y)"},
      {"rolled", R"(graph(%x: f32[4,20]):
    %y: tensor = aten::roll(%x, [3], [1])
    return %y)"},
      {"repeated", R"(graph(%x: f32[3,8]):
    %r: tensor = aten::repeat(%x, [2, 3])
    %y: tensor = aten::relu(%r)
    return %y)"},
      {"triangle", R"(graph(%x: f32[9,24]):
    %y: tensor = aten::tril(%x, 2)
    return %y)"},
      {"two_outputs", R"(graph(%x: bf16[8,64]):
    %e: tensor = aten::exp(%x)
    %h: tensor = aten::gt.Scalar(%x, 0.5)
    return %e, %h)"},
      {"transposed_input", add("f32[70,40]", "f32[70,40]{1,70}")},
      {"transposed_exact", add("f32[64,96]", "f32[64,96]{1,64}")},
      {"transposed_bf16", add("bf16[128,64]", "bf16[128,64]{1,128}")},
      {"transposed_bf16_odd", add("bf16[65,70]", "bf16[65,70]{1,65}")},
      {"transposed_bf16_even", add("bf16[66,70]", "bf16[66,70]{1,66}")},
      {"transposed_misaligned", add("f16[64,64]@align2", "f16[64,64]{1,64}@align2")},
      {"transposed_mixed", add("f32[34,50]", "bf16[34,50]{1,34}")},
      {"transposed_doubles", add("f64[33,40]", "f64[33,40]{1,33}")},
      {"transposed_bytes", add("u8[64,66]", "u8[64,66]{1,64}")},
      {"transposed_batches", add("f32[3,20,2,40]", "f32[3,20,2,40]{1600,1,800,20}")},
      {"transposed_channels", R"(graph(%x: bf16[2,40,5,8], %b: bf16[40,1,1], %t: bf16[2,40,5,8]{1600,1,320,40}):
    %s: tensor = aten::add.Tensor(%x, %b, 1)
    %r: tensor = aten::relu(%t)
    %y: tensor = aten::add.Tensor(%s, %r, 1)
    %z: tensor = aten::mul.Tensor(%r, %b)
    return %y, %z)"},
      {"transposed_outputs", R"(graph(%x: f32[50,36], %t: f32[50,36]{1,50}, %u: f32[50,36]{1,50}, %s: f32[]):
    %a: tensor = aten::add.Tensor(%x, %t, 1)
    %b: tensor = aten::mul.Tensor(%t, %u)
    %y: tensor = aten::mul.Tensor(%a, %s)
    %z: tensor = aten::gt.Scalar(%b, 0.5)
    return %y, %b, %z)"},
      {"transposed_strided", add("f32[30,40]{90,2}", "f32[30,40]{1,31}")},
      {"transposed_cat", R"(graph(%a: f32[20,40], %b: f32[13,40]{1,13}):
    %c: tensor = aten::cat([%a, %b], 0)
    %y: tensor = aten::relu(%c)
    return %y)"},
      {"transposed_position", R"(graph(%x: f32[40,36]{1,40}):
    %i: tensor = aten::arange(36, 4, None, None, None)
    %c: tensor = aten::arange(40, 4, None, None, None)
    %u: tensor = aten::unsqueeze(%c, 1)
    %m: tensor = aten::gt.Tensor(%i, %u)
    %z: tensor = aten::zeros([40, 36], 6, None, None, None)
    %y: tensor = aten::where.self(%m, %x, %z)
    return %y)"},
      {"rank_five", R"(graph(%x: f32[2,3,4,5,6], %b: f32[3,1,5,1], %c: f32[2,1,4,1,6]):
    %s: tensor = aten::add.Tensor(%x, %b, 1)
    %y: tensor = aten::mul.Tensor(%s, %c)
    return %y)"},
  };
}

std::vector<NamedRegion> row_regions() {
  std::vector<NamedRegion> regions;
  for (const int columns : {1, 3, 8, 31, 64, 65, 200, 1000, 1024, 1027, 4096})
    regions.push_back({fmt::format("softmax_bf16_{}", columns), softmax(fmt::format("bf16[5,{}]", columns), 1)});
  for (const int columns : {4, 30, 257, 2048})
    regions.push_back({fmt::format("softmax_f32_{}", columns), softmax(fmt::format("f32[5,{}]", columns), 1)});
  for (const int columns : {8, 100, 513, 2048})
    regions.push_back({fmt::format("layer_norm_{}", columns), layer_norm("bf16", 3, columns)});
  regions.insert(regions.end(),
                 {
                     {"softmax_long", softmax("f32[2,40000]", 1)},
                     {"sum_long_rows", reduction("f32[3,301]", "aten::sum.dim_IntList(%x, [1], False, None)")},
                     {"softmax_long_odd", softmax("bf16[2,70001]", 1)},
                     {"softmax_middle", softmax("f32[3,20,12]", 1)},
                     {"softmax_columns", softmax("f32[30,4100]", 0)},
                     {"softmax_misaligned", softmax("bf16[4,256]@align2", 1)},
                     {"softmax_strided_rows", softmax("bf16[4,96]{100,1}", 1)},
                     {"many_short_rows", softmax("f32[1030,12]", 1)},
                     {"sum_all", reduction("f32[31,17]", "aten::sum(%x, None)")},
                     {"sum_columns", reduction("bf16[50,24]", "aten::sum.dim_IntList(%x, [0], False, None)")},
                     {"sum_two_dims_long",
                      reduction("f32[2,3,4,270]{3240,1080,1,4}", "aten::sum.dim_IntList(%x, [1, 3], False, None)")},
                     {"sum_outer_and_inner", reduction("f32[6,5,8]", "aten::sum.dim_IntList(%x, [0, 2], False, None)")},
                     {"sum_of_bool", reduction("bool[6,40]", "aten::sum.dim_IntList(%x, [1], True, None)")},
                     {"sum_of_none", reduction("f32[4,0]", "aten::sum.dim_IntList(%x, [1], False, None)")},
                     {"mean", reduction("f16[6,72]", "aten::mean.dim(%x, [1], True, None)")},
                     {"amax", reduction("i32[9,33]", "aten::amax(%x, [1], False)")},
                     {"argmax", reduction("f32[9,33]", "aten::argmax(%x, 1, False)")},
                     {"argmin_of_all", reduction("i64[9,33]", "aten::argmin(%x, None, False)")},
                     {"any", reduction("f32[9,33]", "aten::any.dim(%x, 1, False)")},
                     {"var", reduction("f32[9,130]", "aten::var.correction(%x, [1], 1, False)")},
                     {"softmax_masked", R"(graph(%x: f16[2,3,8,64], %m: f16[2,1,1,64]):
    %s: tensor = aten::mul.Scalar(%x, 0.125)
    %a: tensor = aten::add.Tensor(%s, %m, 1)
    %y: tensor = aten::softmax.int(%a, -1, None)
    return %y)"},
                     {"group_norm", R"(graph(%x: f16[2,8,6,6], %w: f16[8], %b: f16[8]):
    %n: tensor = aten::group_norm(%x, 4, %w, %b, 0.00001, True)
    %y: tensor = aten::silu(%n)
    return %y)"},
                     {"group_norm_odd", R"(graph(%x: f16[2,8,5,5], %w: f16[8], %b: f16[8]):
    %y: tensor = aten::group_norm(%x, 4, %w, %b, 0.00001, True)
    return %y)"},
                     {"causal_mask", R"(graph(%x: f32[2,16,16]):
    %i: tensor = aten::arange(16, 4, None, None, None)
    %c: tensor = aten::unsqueeze(%i, 1)
    %m: tensor = aten::gt.Tensor(%i, %c)
    %f: tensor = aten::masked_fill.Scalar(%x, %m, -10.0)
    %y: tensor = aten::softmax.int(%f, -1, None)
    return %y)"},
                     {"softmax_of_cat", R"(graph(%a: f32[6,20], %b: f32[6,13]):
    %c: tensor = aten::cat([%a, %b], 1)
    %y: tensor = aten::softmax.int(%c, -1, None)
    return %y)"},
                     {"two_row_outputs", R"(graph(%x: bf16[6,136]):
    %m: tensor = aten::amax(%x, [1], True)
    %d: tensor = aten::sub.Tensor(%x, %m, 1)
    %s: tensor = aten::sum.dim_IntList(%d, [1], False, None)
    return %m, %s, %d)"},
                 });
  return regions;
}

std::vector<NamedRegion> special_value_regions() {
  return {
      {"swish_bf16", swish("bf16[96]")},
      {"swish_f16", swish("f16[96]")},
      {"swish_f32", swish("f32[95]")},
      {"relu", reduction("f32[95]", "aten::relu(%x)")},
      {"clamp", reduction("f16[95]", "aten::clamp(%x, -1, 1)")},
      {"silu", reduction("f16[96]", "aten::silu(%x)")},
      {"softmax_one", softmax("bf16[90,1]", 1)},
      {"softmax_short", softmax("bf16[40,4]", 1)},
      {"softmax_masked_rows", softmax("f32[40,4]", 1)},
      {"softmax_long", softmax("bf16[2,70001]", 1)},
      {"softmax_columns", softmax("f32[4,40]", 0)},
      {"argmax_of_all", reduction("f32[201,201]", "aten::argmax(%x, None, False)")},
      {"logsumexp", log_sum_exp("f32[2,40000]", 1)},
      {"softmax_long_columns", softmax("f32[9000,4]", 0)},
      {"argmax_columns", reduction("f32[4,20]", "aten::argmax(%x, 0, False)")},
      {"amax", reduction("f32[20,4]", "aten::amax(%x, [1], False)")},
      {"amin", reduction("bf16[20,4]", "aten::amin(%x, [1], False)")},
      {"argmax", reduction("f32[20,4]", "aten::argmax(%x, 1, False)")},
      {"argmin", reduction("f16[20,4]", "aten::argmin(%x, 1, False)")},
      {"all", reduction("f32[20,4]", "aten::all.dim(%x, 1, False)")},
      {"greater", reduction("f32[95]", "aten::gt.Scalar(%x, 0)")},
      {"layer_norm", layer_norm("f32", 5, 24)},
  };
}

}  // namespace torchweld::testing
