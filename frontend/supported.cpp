#include "frontend/supported.h"

#include <torch/csrc/jit/ir/alias_analysis.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "frontend/names.h"
#include "graph/op.h"

namespace torchweld::frontend {
namespace {

using torch::jit::AliasDb;
using torch::jit::Node;
using torch::jit::Value;
namespace prim = torch::jit::prim;

/// Ops that return their argument or a copy of it. type_as and dropout do so although their schemas do not tell.
constexpr std::array<std::string_view, 18> kMayCopy{"aten::_autocast_to_full_precision",
                                                    "aten::_autocast_to_reduced_precision",
                                                    "aten::contiguous",
                                                    "aten::dropout",
                                                    "aten::flatten.using_ints",
                                                    "aten::reshape",
                                                    "aten::reshape_as",
                                                    "aten::resolve_conj",
                                                    "aten::resolve_neg",
                                                    "aten::to.device",
                                                    "aten::to.dtype",
                                                    "aten::to.dtype_layout",
                                                    "aten::to.other",
                                                    "aten::to.prim_Device",
                                                    "aten::to.prim_dtype",
                                                    "aten::to.prim_other",
                                                    "aten::type_as",
                                                    "aten::unflatten.int"};

/// Ops that write running statistics when this argument is true, which their schemas do not tell.
struct HiddenWriter {
  std::string_view op;
  const char* when;
};
constexpr std::array<HiddenWriter, 3> kHiddenWriters{{{"aten::batch_norm", "training"},
                                                      {"aten::_batch_norm_impl_index", "training"},
                                                      {"aten::instance_norm", "use_input_stats"}}};

bool is_tensor_type(const c10::TypePtr& type) {
  if (type->kind() == c10::TypeKind::TensorType) return true;
  const auto optional = type->cast<c10::OptionalType>();
  return optional && optional->getElementType()->kind() == c10::TypeKind::TensorType;
}

bool is_scalar_type(const c10::TypePtr& type) {
  return type->kind() == c10::TypeKind::IntType || type->kind() == c10::TypeKind::FloatType ||
         type->kind() == c10::TypeKind::BoolType;
}

bool all_finite(const c10::IValue& value) {
  if (value.isDouble()) return std::isfinite(value.toDouble());
  if (!value.isDoubleList()) return true;
  const auto list = value.toDoubleVector();
  return std::all_of(list.begin(), list.end(), [](double number) { return std::isfinite(number); });
}

/// instance_norm writes nothing where it has no running statistics.
bool has_statistics(const Node& node, std::string_view name) {
  return name != "aten::instance_norm" || !node.namedInput("running_mean")->mustBeNone();
}

bool hides_a_write(const Node& node, std::string_view name) {
  for (const auto& [op, when] : kHiddenWriters) {
    if (op != name || !has_statistics(node, name)) continue;
    const auto value = node.get(c10::Symbol::attr(when));
    return !value || !value->isBool() || value->toBool();
  }
  return false;
}

/// Attention is listed among the random ops for its dropout.
bool draws_random(const Node& node) {
  if (!node.isNondeterministic()) return false;
  if (!node.hasNamedInput("dropout_p")) return true;
  const auto dropped = node.get(c10::Symbol::attr("dropout_p"));
  return !dropped || !dropped->isDouble() || dropped->toDouble() != 0;
}

/// A `to` that names a device and no dtype.
bool names_only_device(const Node& node, std::string_view name) {
  if (name != "aten::to.prim_Device" && name != "aten::to.device") return false;
  const auto dtype = torch::jit::toIValue(node.namedInput("dtype"));
  const auto device = torch::jit::toIValue(node.namedInput("device"));
  return dtype && dtype->isNone() && !(device && device->isNone());
}

/// A use that no call can make supported: reflecting pads, rolls over several dims, ranges of floats.
bool is_never_supported(const Node& node, std::string_view name) {
  const auto constant = [&](const char* argument) { return node.get(c10::Symbol::attr(argument)); };
  if (name == "aten::pad") {
    const auto mode = constant("mode");
    return mode && mode->isString() && mode->toStringRef() != "constant";
  }
  if (name == "aten::roll") {
    const auto dims = constant("dims");
    return dims && dims->isIntList() && dims->toIntVector().size() > 1;
  }
  if (name.substr(0, 12) != "aten::arange") return false;
  const auto inputs = node.inputs();
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const Value* input) { return input->type()->kind() == c10::TypeKind::FloatType; });
}

/// The first result aliases an argument.
bool is_view(const Node& node, const c10::FunctionSchema* schema) {
  if (node.kind() == prim::ListUnpack || may_copy(node)) return true;
  if (!schema) return false;
  const auto& returns = schema->returns();
  return !returns.empty() && returns[0].alias_info() && !returns[0].alias_info()->beforeSets().empty();
}

bool is_list(const Value& value) { return value.type()->kind() == c10::TypeKind::ListType; }
bool is_device(const Value& value) { return value.type()->kind() == c10::TypeKind::DeviceObjType; }

bool has_translatable_result(const Value& value, const AliasDb& aliases) {
  if (is_list(value)) return !aliases.hasWriters(&value);
  return value.type()->kind() == c10::TypeKind::TensorType || is_scalar(value) || is_device(value);
}

/// Judges nodes in order, so that what defines an argument is judged before what uses it.
class Judge {
public:
  Judge(const Surroundings& surroundings, const AliasDb& aliases) : surroundings_(surroundings), aliases_(aliases) {}

  void visit(torch::jit::Block* block) {
    for (Node* node : block->nodes()) {
      for (torch::jit::Block* nested : node->blocks()) visit(nested);
      verdicts_.emplace(node, verdict_of(node));
    }
  }
  Verdicts take() { return std::move(verdicts_); }

private:
  /// Lists and devices cannot enter a region as inputs: what makes them must be copied in.
  [[nodiscard]] bool is_carried(const Value& value) const {
    const auto found = verdicts_.find(value.node());
    return found != verdicts_.end() && found->second.role == Role::carried;
  }

  [[nodiscard]] bool has_translatable_argument(const Value& value) const {
    if (is_tensor(value) || is_scalar(value)) return true;
    if (value.node()->kind() == prim::Constant) return is_printable_constant(value);
    if (is_list(value)) return is_carried(value) && !aliases_.hasWriters(&value);
    return is_device(value) && is_carried(value);
  }

  [[nodiscard]] bool has_translatable_form(const Node& node) const {
    const auto inputs = node.inputs();
    const auto outputs = node.outputs();
    return std::all_of(inputs.begin(), inputs.end(), [&](const Value* v) { return has_translatable_argument(*v); }) &&
           std::all_of(outputs.begin(), outputs.end(),
                       [&](const Value* v) { return has_translatable_result(*v, aliases_); });
  }

  [[nodiscard]] Verdict verdict_of(Node* node) const;

  /// Made by no node that a region can hold, views aside.
  [[nodiscard]] bool is_from_outside(const Value& value) const {
    const auto found = verdicts_.find(value.node());
    if (found == verdicts_.end() || found->second.role == Role::outside) return true;
    return found->second.role == Role::view && is_from_outside(*value.node()->input(0));
  }

  /// A copy of such a node in a region may run after a write that changes what it asks for.
  [[nodiscard]] bool reads_sizes_that_change(const Node& node) const {
    const auto inputs = node.inputs();
    return surroundings_.sizes_change && std::any_of(inputs.begin(), inputs.end(), [&](const Value* v) {
             return is_tensor(*v) && aliases_.hasWriters(v);
           });
  }

  const Surroundings& surroundings_;
  const AliasDb& aliases_;
  Verdicts verdicts_;
};

Verdict outside(Boundary reason) { return {Role::outside, reason, nullptr}; }

bool is_call(const Node& node) {
  return !node.blocks().empty() || node.kind() == prim::CallMethod || node.kind() == prim::CallFunction ||
         node.kind() == prim::fork;
}

/// Results that are all numbers or devices: nothing to compute on a device.
bool is_size_arithmetic(const Node& node) {
  const auto outputs = node.outputs();
  return std::all_of(outputs.begin(), outputs.end(), [](const Value* v) { return is_scalar(*v) || is_device(*v); });
}

Verdict Judge::verdict_of(Node* node) const {
  if (is_call(*node)) return outside(Boundary::control_flow);
  if (has_side_effects(*node)) return outside(Boundary::side_effect);
  const auto* schema = node->maybeSchema();
  if (schema && schema->is_mutable()) return outside(Boundary::writes_memory);
  if (draws_random(*node)) return outside(Boundary::random);
  const std::string name = op_name(*node);
  if (hides_a_write(*node, name)) return outside(Boundary::writes_memory);
  const graph::Op* op = node->kind() == prim::Constant ? nullptr : graph::find_op(name);
  if (!op) return outside(Boundary::unknown_op);
  if (!has_translatable_form(*node) || is_never_supported(*node, name)) return outside(Boundary::unsupported_form);
  const bool is_carried = is_size_arithmetic(*node) || is_list(*node->outputs()[0]);
  if (!is_carried && !is_view(*node, schema)) return {Role::compute, {}, op};
  if (names_only_device(*node, name) && is_from_outside(*node->input(0))) return outside(Boundary::moves_device);
  if (reads_sizes_that_change(*node)) return outside(Boundary::reads_written);
  return {is_carried ? Role::carried : Role::view, {}, op};
}

}  // namespace

bool may_copy(const Node& view) { return std::find(kMayCopy.begin(), kMayCopy.end(), op_name(view)) != kMayCopy.end(); }

bool is_tensor(const Value& value) { return is_tensor_type(value.type()); }
bool is_scalar(const Value& value) { return is_scalar_type(value.type()); }

bool is_printable_constant(const Value& value) {
  const auto constant = torch::jit::toIValue(&value);
  if (!constant) return false;
  const bool plain = constant->isNone() || constant->isInt() || constant->isDouble() || constant->isBool() ||
                     constant->isString() || constant->isDevice() || constant->isIntList() ||
                     constant->isDoubleList() || constant->isBoolList();
  return plain && all_finite(*constant);
}

Verdicts judge(torch::jit::Graph& graph, const Surroundings& surroundings, const AliasDb& aliases) {
  Judge judge(surroundings, aliases);
  judge.visit(graph.block());
  return judge.take();
}

}  // namespace torchweld::frontend
