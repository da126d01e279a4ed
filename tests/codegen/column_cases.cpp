#include <fmt/format.h>

#include "codegen/cases.h"
#include "codegen/region_texts.h"

namespace torchweld::testing {

std::vector<NamedRegion> column_regions() {
  std::vector<NamedRegion> regions;
  // Inside one block: columns in whole vectors, an odd number of them, few and many of them.
  for (const char* type : {"f32[3,20,12]", "f32[2,128,64]", "f32[3,33,30]", "bf16[2,40,17]", "f64[2,9,6]",
                           "f32[2,5,1000]", "bf16[1,300,8]", "f16[40,3,2]"})
    regions.push_back({fmt::format("softmax_middle_{}", regions.size()), softmax(type, 1)});
  regions.insert(
      regions.end(),
      {
          {"softmax_columns", softmax("f32[30,4100]", 0)},
          {"softmax_columns_odd", softmax("bf16[19,1031]", 0)},
          {"softmax_columns_misaligned", softmax("bf16[19,96]@align2", 0)},
          {"softmax_columns_words", softmax("bf16[19,96]@align4", 0)},
          {"softmax_columns_strided", softmax("bf16[19,96]{100,1}", 0)},
          {"softmax_long_columns", softmax("f32[9000,4]", 0)},
          {"softmax_long_columns_odd", softmax("f16[9001,3]", 0)},
          {"softmax_two_dims", softmax("f32[6,7,8,12]{672,12,84,1}", 1)},
          {"sum_columns", reduction("bf16[50,24]", "aten::sum.dim_IntList(%x, [0], False, None)")},
          {"sum_columns_odd", reduction("bf16[77,31]", "aten::sum.dim_IntList(%x, [0], False, None)")},
          {"sum_columns_many", reduction("f32[3,3000]", "aten::sum.dim_IntList(%x, [0], True, None)")},
          {"sum_two_strided_dims",
           reduction("f32[5,6,4,24]{2880,24,144,1}", "aten::sum.dim_IntList(%x, [0, 2], False, None)")},
          {"sum_of_transposed", reduction("f32[24,30]{1,24}", "aten::sum.dim_IntList(%x, [1], False, None)")},
          {"prod_of_doubles", reduction("f64[9,30]", "aten::prod.dim_int(%x, 0, False, None)")},
          {"amax_of_bytes", reduction("u8[70,40]", "aten::amax(%x, [0], False)")},
          {"argmax_columns", reduction("f32[33,40]", "aten::argmax(%x, 0, False)")},
          {"argmin_middle", reduction("i64[3,33,10]", "aten::argmin(%x, 1, False)")},
          {"any_columns", reduction("f32[33,9]", "aten::any.dim(%x, 0, False)")},
          {"var_middle", reduction("f32[3,130,20]", "aten::var.correction(%x, [1], 1, False)")},
          {"mean_channels_last", reduction("f16[4,24,5,7]{840,1,168,24}", "aten::mean.dim(%x, [2, 3], True, None)")},
          {"layer_norm_middle", R"(graph(%x: bf16[3,40,24], %r: bf16[3,40,24], %b: f32[24], %w: f32[40,1]):
    %a: tensor = aten::add.Tensor(%x, %r, 1)
    %m: tensor = aten::mean.dim(%a, [1], True, None)
    %d: tensor = aten::sub.Tensor(%a, %m, 1)
    %q: tensor = aten::mul.Tensor(%d, %d)
    %v: tensor = aten::mean.dim(%q, [1], True, None)
    %e: tensor = aten::add.Scalar(%v, 0.00001, 1)
    %s: tensor = aten::rsqrt(%e)
    %n: tensor = aten::mul.Tensor(%d, %s)
    %t: tensor = aten::mul.Tensor(%n, %w)
    %y: tensor = aten::add.Tensor(%t, %b, 1)
    return %y, %m)"},
          {"column_outputs", R"(graph(%x: f32[37,20], %t: f32[20]{3}, %b: f32[20]@align4, %s: f32[]):
    %m: tensor = aten::amax(%x, [0], False)
    %c: tensor = aten::add.Tensor(%m, %t, 1)
    %d: tensor = aten::mul.Tensor(%c, %b)
    %y: tensor = aten::mul.Tensor(%d, %s)
    %z: tensor = aten::sub.Tensor(%x, %y, 1)
    return %y, %z)"},
          {"causal_columns", R"(graph(%x: f32[2,16,16]):
    %i: tensor = aten::arange(16, 4, None, None, None)
    %c: tensor = aten::unsqueeze(%i, 1)
    %m: tensor = aten::gt.Tensor(%i, %c)
    %f: tensor = aten::masked_fill.Scalar(%x, %m, -10.0)
    %y: tensor = aten::softmax.int(%f, 1, None)
    return %y)"},
          {"softmax_of_cat_columns", R"(graph(%a: f32[6,20], %b: f32[13,20]):
    %c: tensor = aten::cat([%a, %b], 0)
    %y: tensor = aten::softmax.int(%c, 0, None)
    return %y)"},
          {"softmax_of_cat_beside", R"(graph(%a: f32[6,20], %b: f32[6,13]):
    %c: tensor = aten::cat([%a, %b], 1)
    %y: tensor = aten::softmax.int(%c, 0, None)
    return %y)"},
          {"softmax_of_cat_vectors", R"(graph(%a: bf16[6,24], %b: bf16[6,16]):
    %c: tensor = aten::cat([%a, %b], 1)
    %y: tensor = aten::softmax.int(%c, 0, None)
    return %y)"},
      });
  return regions;
}

std::vector<NamedRegion> split_regions() {
  return {
      {"mean_of_all", reduction("f32[300,100]", "aten::mean(%x, None)")},
      {"mean_of_all_odd", reduction("bf16[100003]@align2", "aten::mean(%x, None)")},
      {"argmax_of_all", reduction("f32[201,201]", "aten::argmax(%x, None, False)")},
      {"mean_of_doubles", reduction("f64[20011]", "aten::mean(%x, None)")},
      {"mean_tall_columns", reduction("bf16[5000,24]", "aten::mean.dim(%x, [0], False, None)")},
      {"mean_tall_columns_odd", reduction("f32[3001,13]", "aten::mean.dim(%x, [0], True, None)")},
      {"amax_tall_column", reduction("i32[40000,1]", "aten::amax(%x, [0], False)")},
      {"mean_channels_first", reduction("f32[24,3,40,41]", "aten::mean.dim(%x, [0, 2, 3], True, None)")},
      {"argmin_tall_columns", reduction("f16[9001,8]", "aten::argmin(%x, 0, False)")},
      {"two_results", R"(graph(%x: bf16[3,100000], %b: f32[3]):
    %m: tensor = aten::mean.dim(%x, [1], False, None)
    %a: tensor = aten::amax(%x, [1], False)
    %s: tensor = aten::add.Tensor(%m, %b, 1)
    %y: tensor = aten::mul.Tensor(%a, %s)
    return %y, %m)"},
      {"result_beside_values", R"(graph(%x: f32[10000,8], %b: f32[8]):
    %e: tensor = aten::add.Tensor(%x, %b, 1)
    %m: tensor = aten::mean.dim(%e, [0], False, None)
    return %e, %m)"},
      {"logsumexp", log_sum_exp("f32[2,40000]", 1)},
      {"logsumexp_columns", log_sum_exp("f32[9000,4]", 0)},
      {"sum_then_softmax", R"(graph(%x: f32[5000,16]):
    %m: tensor = aten::mean.dim(%x, [0], False, None)
    %y: tensor = aten::softmax.int(%m, 0, None)
    return %y)"},
  };
}

}  // namespace torchweld::testing
