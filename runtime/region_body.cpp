// The only file of runtime/ that knows TorchScript's graphs.
#include "runtime/region_body.h"

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/ir/irparser.h>

#include <utility>

#include "graph/passes.h"
#include "runtime/region.h"
#include "runtime/runtime.h"
#include "torchweld/error.h"

namespace torchweld::runtime {
namespace {

InputKind kind_of(const torch::jit::Value& input) {
  switch (input.type()->kind()) {
  case c10::TypeKind::IntType:
    return InputKind::integer;
  case c10::TypeKind::FloatType:
    return InputKind::floating;
  case c10::TypeKind::BoolType:
    return InputKind::boolean;
  case c10::TypeKind::TensorType:
  case c10::TypeKind::OptionalType:
    return InputKind::tensor;
  default:
    throw Error("region: input %" + input.debugName() + " is of type " + input.type()->str() +
                ", expected a tensor, an int, a float or a bool");
  }
}

std::shared_ptr<torch::jit::Graph> parse(const std::string& text) {
  auto graph = std::make_shared<torch::jit::Graph>();
  try {
    torch::jit::parseIR(text, graph.get());
  } catch (const std::exception& error) {
    throw Error(std::string("region: its text is not TorchScript IR: ") + error.what());
  }
  return graph;
}

TranslatedRegion translate(const RegionBody& body) {
  TranslatedRegion result;
  try {
    const auto translator = Runtime::get().translator();
    ensure(translator != nullptr, "frontend/ has handed over its translator");
    result.graph = translator(body.text());
    ensure(result.graph.inputs().size() == body.inputs().size(), "a translated region has the inputs of its text");
    ensure(result.graph.outputs().size() == body.num_outputs(), "a translated region has the outputs of its text");
    result.needed = graph::inputs_needed_while_planning(result.graph);
  } catch (const std::exception& error) {
    result.failure = error.what();
  }
  return result;
}

/// A TorchScript function returns one value: the outputs become the elements of a tuple.
void return_a_tuple(torch::jit::Graph& graph) {
  auto* tuple = graph.appendNode(graph.createTuple(graph.outputs()))->output();
  while (!graph.outputs().empty()) graph.eraseOutput(0);
  graph.registerOutput(tuple);
}

}  // namespace

RegionBody::RegionBody(std::string text) : text_(std::move(text)) {
  const auto graph = parse(text_);
  for (const auto* input : graph->inputs()) {
    inputs_.push_back(kind_of(*input));
    if (inputs_.back() != InputKind::tensor) continue;
    if (++num_tensors_ != inputs_.size())
      throw Error("region: input %" + input->debugName() + " is a tensor after a number, expected tensors first");
  }
  num_outputs_ = graph->outputs().size();
  for (const auto* output : graph->outputs())
    if (!output->type()->isSubtypeOf(*c10::TensorType::get()))
      throw Error("region: output %" + output->debugName() + " is of type " + output->type()->str() +
                  ", expected a tensor");
  return_a_tuple(*graph);
  original_ = std::make_shared<torch::jit::GraphFunction>(c10::QualifiedName("torchweld_region"), graph, nullptr,
                                                          torch::jit::ExecutorExecutionMode::SIMPLE);
}

const TranslatedRegion& RegionBody::translated() const {
  std::call_once(translate_once_, [this] { translated_ = translate(*this); });
  return translated_;
}

c10::List<at::Tensor> RegionBody::run_original(torch::jit::Stack arguments) const {
  original_->run(arguments);
  c10::List<at::Tensor> results;
  results.reserve(num_outputs_);
  for (const auto& result : arguments.at(0).toTupleRef().elements()) results.push_back(result.toTensor());
  return results;
}

std::shared_ptr<const RegionBody> RegionBodies::body_of(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (const auto found = by_text_.find(text); found != by_text_.end())
    if (auto body = found->second.lock()) return body;
  auto body = std::make_shared<const RegionBody>(text);
  std::erase_if(by_text_, [](const auto& entry) { return entry.second.expired(); });
  by_text_[text] = body;
  return body;
}

}  // namespace torchweld::runtime
