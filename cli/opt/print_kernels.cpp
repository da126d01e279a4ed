#include "cli/opt/print_kernels.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/opt/call_facts.h"
#include "codegen/kernel.h"
#include "torchweld/error.h"

/// For each graph {"refused": text}, or
///   inputs    the value of each input, by number
///   outputs   [{value, dtype, sizes, strides}], and {input, offset} of one that is a view of an input
///   buffers   [{value, dtype, elements}]: what the caller allocates
///   kernels   [{name, text, grid, arguments}]; arguments are {pointer, offset}, {int, bytes}, {divisor: three ints} or
///             {number, dtype}, where a number is a text that Python's float() and int() read
namespace torchweld {
namespace {

using nlohmann::json;

std::vector<std::string_view> graphs_of(std::string_view text) {
  std::vector<std::string_view> graphs;
  for (std::size_t begin = text.find("graph("); begin != std::string_view::npos;) {
    const std::size_t end = text.find("\ngraph(", begin);
    graphs.push_back(text.substr(begin, end == std::string_view::npos ? end : end - begin));
    begin = end == std::string_view::npos ? end : end + 1;
  }
  return graphs;
}

std::int64_t elements_of(const graph::TensorType& type) {
  std::int64_t last = 0;
  for (std::size_t dim = 0; dim < type.sizes.size(); ++dim) {
    if (type.sizes[dim] == 0) return 0;
    last += (type.sizes[dim] - 1) * type.strides[dim];
  }
  return last + 1;
}

std::string text_of(const fusion::Number& number) {
  if (const auto* integer = std::get_if<std::int64_t>(&number.held)) return std::to_string(*integer);
  if (const auto* truth = std::get_if<bool>(&number.held)) return *truth ? "1" : "0";
  const auto* real = std::get_if<double>(&number.held);
  if (!real) throw Error("a number that is an input has no value here: write it into the graph");
  return std::isfinite(*real) ? json(*real).dump() : std::to_string(*real);
}

json json_of(const codegen::Argument& argument) {
  if (const auto* pointer = std::get_if<codegen::PointerArgument>(&argument))
    return {{"pointer", pointer->value.index}, {"offset", pointer->byte_offset}};
  if (const auto* integer = std::get_if<codegen::IntArgument>(&argument))
    return {{"int", integer->value}, {"bytes", integer->bytes}};
  if (const auto* divisor = std::get_if<codegen::DivisorArgument>(&argument)) {
    const codegen::DivisorBytes bytes = codegen::divisor_bytes(divisor->divisor);
    return {{"divisor", {bytes.multiplier, bytes.shift, bytes.divisor}}};
  }
  const auto& number = std::get<codegen::NumberArgument>(argument);
  return {{"number", text_of(number.number)}, {"dtype", name_of(number.dtype)}};
}

json json_of(const codegen::Kernel& kernel) {
  json arguments = json::array();
  for (const codegen::Argument& argument : kernel.arguments) arguments.push_back(json_of(argument));
  return {{"name", kernel.name}, {"text", kernel.text}, {"grid", kernel.launch.grid}, {"arguments", arguments}};
}

json output_of(const codegen::Program& program, graph::Value value) {
  const graph::TensorType& type = program.graph.tensor(value);
  json output{{"value", value.index}, {"dtype", name_of(type.dtype)}, {"sizes", type.sizes}, {"strides", type.strides}};
  for (const fusion::InputView& view : program.plan.views) {
    if (view.output != value) continue;
    output["input"] = view.input.index;
    output["offset"] = view.offset;
  }
  return output;
}

json json_of(const codegen::Program& program) {
  json lists{{"inputs", json::array()}, {"outputs", json::array()}, {"buffers", json::array()}};
  for (const graph::Value input : program.graph.inputs()) lists["inputs"].push_back(input.index);
  std::vector<graph::Value> held = program.plan.intermediates;
  for (const graph::Value output : program.graph.outputs()) {
    lists["outputs"].push_back(output_of(program, output));
    if (!lists["outputs"].back().contains("input")) held.push_back(output);
  }
  for (const graph::Value value : held) {
    const graph::TensorType& type = program.graph.tensor(value);
    lists["buffers"].push_back(
        {{"value", value.index}, {"dtype", name_of(type.dtype)}, {"elements", elements_of(type)}});
  }
  lists["kernels"] = json::array();
  for (const codegen::Kernel& kernel : program.kernels) lists["kernels"].push_back(json_of(kernel));
  return lists;
}

json json_of(std::string_view text, codegen::Backend backend) {
  const graph::Graph region = graph::parse(text);
  const auto program = codegen::build_program(region, facts_of(region), {.backend = backend}, {});
  if (const auto* why = std::get_if<graph::Unsupported>(&program))
    return {{"refused", why->reason + ": " + why->where}};
  return json_of(std::get<codegen::Program>(program));
}

}  // namespace

std::string kernels_as_json(std::string_view text, std::string_view backend) {
  if (backend != "host" && backend != "cuda") throw Error("unknown backend " + std::string(backend));
  json programs = json::array();
  for (const std::string_view graph : graphs_of(text))
    programs.push_back(json_of(graph, backend == "host" ? codegen::Backend::host : codegen::Backend::cuda));
  return programs.dump();
}

}  // namespace torchweld
