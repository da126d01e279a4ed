#include <gtest/gtest.h>

#include <sstream>

#include "graph/layout.h"
#include "graph/op.h"
#include "graph/passes.h"

namespace torchweld::graph {
namespace {

constexpr const char* kEagerDtypes[] = {
#include "graph/eager_dtypes.inc"
};
constexpr const char* kEagerLayouts[] = {
#include "graph/eager_layouts.inc"
};

CallFacts facts_of(const Graph& graph) {
  CallFacts facts;
  for (const Value input : graph.inputs()) {
    const auto* type = std::get_if<TensorType>(&graph.type(input));
    if (type)
      facts.inputs.emplace_back(*type);
    else if (const auto* scalar = std::get_if<ScalarType>(&graph.type(input)))
      facts.inputs.emplace_back(ScalarFact{scalar->dtype, std::nullopt});
    else
      facts.inputs.emplace_back(None{});
  }
  return facts;
}

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

TEST(Infer, GivesTheSizesDtypesAndStridesThatEagerGives) {
  for (const char* line : kEagerLayouts) {
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
      else
        EXPECT_EQ(found.substr(0, found.find('[')), expected) << text;
    }
  }
}

}  // namespace
}  // namespace torchweld::graph
