#include <gtest/gtest.h>

#include <map>
#include <span>
#include <sstream>

#include "graph/expect.h"

namespace torchweld::graph {
namespace {

constexpr const char* kEagerDtypes[] = {
#include "graph/eager_dtypes.inc"
};
constexpr const char* kEagerLayouts[] = {
#include "graph/eager_layouts.inc"
};
/// The same, recorded on a GPU: some composites differ there.
constexpr const char* kEagerLayoutsOnCuda[] = {
#include "graph/eager_layouts_cuda.inc"
};

/// The types of the outputs, or "refused: ..." as text.
std::string inferred(const Graph& graph) {
  const auto result = infer(graph, facts_of(graph));
  if (const auto* why = std::get_if<Unsupported>(&result)) return "refused: " + why->reason + ": " + why->where;
  const Graph& typed = std::get<Graph>(result);
  std::string text;
  for (const Value output : typed.outputs()) {
    TensorType type = typed.tensor(output);
    type.alignment = kVectorBytes;  // recorded types have none
    text += to_text(Type(type)) + ' ';
  }
  return text;
}

void expect_layouts(std::span<const char* const> lines) {
  for (const char* line : lines) {
    const Graph graph = parse(line);
    std::string expected;
    for (const Value output : graph.outputs()) expected += to_text(graph.type(output)) + ' ';
    const std::string found = inferred(graph);
    if (expected == "tensor ")
      EXPECT_EQ(found.substr(0, 23), "refused: eager_refuses:") << line;
    else
      EXPECT_EQ(found, expected) << line;
  }
}

TEST(Infer, GivesTheSizesDtypesAndStridesThatEagerGives) { expect_layouts(kEagerLayouts); }

TEST(Infer, GivesThoseOfEagerOnAGpu) { expect_layouts(kEagerLayoutsOnCuda); }

/// The operands that follow the tensor in a line of eager_dtypes.inc, as text of a graph.
std::string operands_after(const std::string& op, const std::string& operand) {
  static const std::map<std::string, std::string> trailing{
      {"add", ", 1"},     {"sub", ", 1"},     {"rsub", ", 1"},         {"sum", ", None"},
      {"mean", ", None"}, {"prod", ", None"}, {"amax", ", [], False"}, {"amin", ", [], False"}};
  const std::string base = op.substr(6, op.find('.') - 6);
  const auto found = trailing.find(base);
  return (operand.empty() ? "" : ", " + operand) + (found == trailing.end() ? "" : found->second);
}

TEST(Infer, GivesTheDtypesThatEagerGives) {
  for (const std::string line : kEagerDtypes) {
    std::string op = line.substr(0, line.find(" |"));
    std::string operand = line.substr(op.size() + 3, line.rfind(" |") - op.size() - 3);
    std::istringstream results(line.substr(line.rfind('|') + 1));
    for (const char* dtype : {"f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u8", "bool"}) {
      std::string expected;
      results >> expected;
      const bool tensor = operand == "same" || operand.find('[') != std::string::npos;
      const std::string second = operand == "same" ? dtype + std::string("[2]") : operand;
      const std::string text = "graph(%x: " + std::string(dtype) + "[2]" + (tensor ? ", %y: " + second : "") +
                               "): %r: tensor = " + op + "(%x" + operands_after(op, tensor ? "%y" : second) +
                               ") return %r";
      const std::string found = inferred(parse(text));
      if (expected == "-")
        EXPECT_EQ(found.substr(0, 23), "refused: eager_refuses:") << text;
      else if (expected == "?")
        EXPECT_EQ(found.substr(0, 17), "refused: op_form:") << text;
      else
        EXPECT_EQ(found.substr(0, found.find('[')), expected) << text;
    }
  }
}

void expect_inferred(const std::string& region, const std::string& expected) {
  const Graph graph = parse(region);
  EXPECT_EQ(text_of(infer(graph, facts_of(graph))), expected);
}

TEST(Infer, EvaluatesSizeArithmeticAndLists) {
  expect_inferred(R"(graph(%x: f32[6,4]):
  %n: int = aten::size.int(%x, 0)
  %h: int = aten::floordiv.int(%n, 2)
  %s: list = aten::size(%x)
  %last: int = aten::__getitem__.t(%s, -1)
  %m: int = aten::mul.int(%last, 2)
  %sizes: list = prim::ListConstruct(%h, %m)
  %v: tensor = aten::view(%x, %sizes)
  return %v)",
                  R"(graph(%x: f32[6,4]):
  %v: f32[3,8] = aten::view(%x, [3, 8])
  return %v
)");
}

TEST(Infer, RepeatsAndComparesLists) {
  expect_inferred(R"(graph(%x: f32[6,4]):
  %one: list = prim::ListConstruct(1)
  %ones: list = aten::mul.left_t(%one, 2)
  %s: list = aten::size(%x)
  %same: bool = aten::eq.int_list(%s, %ones)
  %known: bool = aten::__contains__.int_list(%s, 4)
  %either: bool = aten::__or__.bool(%same, %known)
  %n: int = aten::Int.bool(%either)
  %sizes: list = aten::add.t(%ones, %s)
  %v: tensor = aten::view(%x, %sizes)
  %w: tensor = aten::narrow(%v, 3, %n, 2)
  return %w)",
                  R"(graph(%x: f32[6,4]):
  %v: f32[1,1,6,4] = aten::view(%x, [1, 1, 6, 4])
  %w: f32[1,1,6,2]{24,24,4,1}@align4 = aten::narrow(%v, 3, 1, 2)
  return %w
)");
}

TEST(Infer, PassesDtypesOnAsCodes) {
  expect_inferred(R"(graph(%x: f32[4], %y: f16[4]):
  %d: int = prim::dtype(%y)
  %v: tensor = aten::to.dtype(%x, %d, False, False, None)
  return %v)",
                  R"(graph(%x: f32[4], %y: f16[4]):
  %v: f16[4] = aten::to.dtype(%x, 5, False, False, None)
  return %v
)");
}

TEST(Infer, KeepsAnOpenNumberAsAValueAndAKnownOneAsALiteral) {
  const Graph region = parse("graph(%x: tensor, %n: int): %a: tensor = aten::mul.Scalar(%x, %n) return %a");
  CallFacts facts;
  facts.inputs = {TensorType{DType::f32, {4}, {1}}, ScalarFact{DType::i64, std::nullopt}};
  EXPECT_EQ(text_of(infer(region, facts)),
            "graph(%x: f32[4], %n: int):\n  %a: f32[4] = aten::mul.Scalar(%x, %n)\n  return %a\n");
  facts.inputs[1] = ScalarFact{DType::i64, Operand(3)};
  EXPECT_EQ(text_of(infer(region, facts)),
            "graph(%x: f32[4], %n: int):\n  %a: f32[4] = aten::mul.Scalar(%x, 3)\n  return %a\n");
}

TEST(Infer, ReplacesAMissingTensorByNone) {
  expect_inferred(R"(graph(%x: f32[2,4], %w: tensor):
  %a: tensor = aten::layer_norm(%x, [4], %w, None, 1e-05, True)
  return %a)",
                  R"(graph(%x: f32[2,4], %w: tensor):
  %a: f32[2,4] = aten::layer_norm(%x, [4], None, None, 1e-05, True)
  return %a
)");
}

TEST(Infer, UnpacksTheListsThatSplitsReturn) {
  expect_inferred(R"(graph(%x: f32[4,6]):
  %l: list = aten::chunk(%x, 2, 1)
  %a: tensor, %b: tensor = prim::ListUnpack(%l)
  %c: tensor = aten::cat(%l, 0)
  return %b, %c)",
                  R"(graph(%x: f32[4,6]):
  %a: f32[4,3]{6,1}, %b: f32[4,3]{6,1}@align4 = aten::chunk(%x, 2, 1)
  %c: f32[8,3] = aten::cat([%a, %b], 0)
  return %b, %c
)");
}

TEST(Infer, GivesIntegersTheDefaultDtypeInFloatOps) {
  const Graph region =
      parse("graph(%x: i64[4]): %a: tensor = aten::exp(%x) %b: tensor = aten::lt.Scalar(%x, 0.5) return %a, %b");
  CallFacts facts = facts_of(region);
  facts.default_dtype = DType::f64;
  EXPECT_EQ(text_of(infer(region, facts)), R"(graph(%x: i64[4]):
  %a: f64[4] = aten::exp(%x)
  %2: f64[4] = torchweld::cast(%x)
  %b: bool[4] = aten::lt.Scalar(%2, 0.5)
  return %a, %b
)");
}

TEST(Infer, LetsANumberInATensorPromoteLikeANumber) {
  expect_inferred("graph(%x: f16[4], %s: f64[]@number): %a: tensor = aten::mul.Tensor(%x, %s) return %a",
                  "graph(%x: f16[4], %s: f64[]@number):\n  %a: f16[4] = aten::mul.Tensor(%x, %s)\n  return %a\n");
  expect_inferred("graph(%x: i64[4], %s: f64[]@number): %a: tensor = aten::mul.Tensor(%x, %s) return %a",
                  "graph(%x: i64[4], %s: f64[]@number):\n  %a: f32[4] = aten::mul.Tensor(%x, %s)\n  return %a\n");
}

TEST(Infer, TakesAHostNumberAmongCudaTensorsButNoOtherDevice) {
  expect_inferred("graph(%x: f32[4]@cuda, %s: f32[]): %a: tensor = aten::mul.Tensor(%x, %s) return %a",
                  "graph(%x: f32[4]@cuda, %s: f32[]):\n  %a: f32[4]@cuda = aten::mul.Tensor(%x, %s)\n  return %a\n");
  expect_inferred("graph(%x: f32[4]@cuda, %s: f32[4]): %a: tensor = aten::mul.Tensor(%x, %s) return %a",
                  "eager_refuses: aten::mul.Tensor: tensors of two devices");
}

TEST(Infer, KnowsTheNamesOfItsDevice) {
  const auto moved = [](const Place& place, const std::string& device) {
    const Graph graph = parse("graph(%x: f32[4]@cuda): %a: tensor = aten::to.device(%x, \"" + device +
                              "\", None, False, False, None) %b: tensor = aten::relu(%a) return %b");
    CallFacts facts = facts_of(graph);
    facts.place = place;
    return std::holds_alternative<Graph>(infer(graph, facts));
  };
  EXPECT_TRUE(moved({Device::cuda, 1, false}, "cuda:1"));
  EXPECT_FALSE(moved({Device::cuda, 1, false}, "cuda:0"));
  EXPECT_FALSE(moved({Device::cuda, 1, false}, "cuda"));
  EXPECT_TRUE(moved({Device::cuda, 1, true}, "cuda"));
  EXPECT_FALSE(moved({Device::cuda, 1, true}, "cpu"));
}

TEST(Infer, CreatesOnTheHostUnlessADeviceIsNamed) {
  const std::string rest = " %b: tensor = aten::add.Tensor(%x, %a, 1) return %b";
  expect_inferred("graph(%x: f32[4]@cuda): %a: tensor = aten::zeros([4], 6, None, None, None)" + rest,
                  "op_form: aten::zeros: on the host, in a region on a cuda device");
  expect_inferred("graph(%x: f32[4]@cuda): %a: tensor = aten::zeros([4], 6, None, \"cuda:0\", None)" + rest,
                  "graph(%x: f32[4]@cuda):\n  %a: f32[4]@cuda = aten::zeros([4], 6, None, \"cuda:0\", None)\n"
                  "  %b: f32[4]@cuda = aten::add.Tensor(%x, %a, 1)\n  return %b\n");
  expect_inferred("graph(%x: f32[4]@cuda): %a: tensor = aten::zeros_like(%x, None, None, None, None, None)" + rest,
                  "graph(%x: f32[4]@cuda):\n  %a: f32[4]@cuda = aten::zeros_like(%x, None, None, None, None, None)\n"
                  "  %b: f32[4]@cuda = aten::add.Tensor(%x, %a, 1)\n  return %b\n");
}

TEST(Infer, SaysWhyAFormIsNotSupported) {
  expect_inferred("graph(%x: f32[4]): %a: tensor = aten::dropout(%x, 0.5, True) return %a",
                  "op_form: aten::dropout: training");
  expect_inferred("graph(%x: f32[4], %n: int): %a: tensor = aten::view(%x, [%n, 2]) return %a",
                  "op_form: aten::view: operand 1 is not a list of ints known while planning");
  expect_inferred("graph(%x: f32[4]): %a: tensor = aten::to.dtype(%x, 9, False, False, None) return %a",
                  "dtype: aten::to.dtype: dtype of code 9");
  expect_inferred("graph(%x: f32[4]): %a: tensor = aten::to.device(%x, \"cuda\", None, False, False, None) return %a",
                  "op_form: aten::to.device: to another device");
  expect_inferred("graph(%x: f32[4]): %a: tensor = aten::relu() return %a",
                  "op_form: aten::relu: has 0 operands, expected 1");
  expect_inferred("graph(%x: f32[4]): %n: int = aten::size.int(%x, 0) return %n", "op_form: an output is not a tensor");
  expect_inferred("graph(%x: i64[4], %y: i64[4]): %a: tensor = aten::floor_divide(%x, %y) return %a",
                  "op_form: aten::floor_divide: a division that may raise");
  expect_inferred("graph(%x: f32[4611686018427387904]): return %x", "too_large: input x");
  expect_inferred("graph(%x: f32[4]): %a: tensor = aten::expand(%x, [4611686018427387904, 4], False) return %a",
                  "too_large: aten::expand: f32[4611686018427387904,4]{0,1}");
  EXPECT_EQ(text_of(infer(parse("graph(%x: f32[4]): return %x"), CallFacts{})),
            "op_form: found facts of 0 inputs, expected 1");
}

TEST(InputsNeededWhilePlanning, AreThoseThatShapesOrListsDependOn) {
  const Graph region = parse(R"(graph(%x: tensor, %scale: float, %size: int, %half: int, %dim: int, %low: float):
    %n: int = aten::floordiv.int(%half, 2)
    %l: list = prim::ListConstruct(%n, %size)
    %a: tensor = aten::view(%x, %l)
    %b: tensor = aten::mul.Scalar(%a, %scale)
    %c: tensor = aten::clamp(%b, %low, None)
    %d: tensor = aten::softmax.int(%c, %dim, None)
    return %d)");
  EXPECT_EQ(inputs_needed_while_planning(region), (std::vector<bool>{false, false, true, true, true, false}));
}

}  // namespace
}  // namespace torchweld::graph
