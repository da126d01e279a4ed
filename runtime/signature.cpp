#include "runtime/signature.h"

#include <c10/core/DefaultDtype.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/cuda/CUDAFunctions.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>

#include "runtime/dtypes.h"
#include "runtime/region_body.h"

namespace torchweld::runtime {
namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;

// A dense tensor of the host or of CUDA, tracked by autograd and by views. Every tensor also holds its backend's
// autocast key, whether autocast is on or not.
const DispatchKeySet kPlainTensor =
    DispatchKeySet({DispatchKey::CPU, DispatchKey::CUDA, DispatchKey::AutogradCPU, DispatchKey::AutogradCUDA,
                    DispatchKey::ADInplaceOrView, DispatchKey::AutocastCPU, DispatchKey::AutocastCUDA});
// What a thread includes when nothing (functorch, a mode, tracing) is between us and the kernels.
const DispatchKeySet kPlainThread = DispatchKeySet({DispatchKey::BackendSelect, DispatchKey::ADInplaceOrView});

bool has_only(DispatchKeySet keys, DispatchKeySet allowed) { return (keys.raw_repr() & ~allowed.raw_repr()) == 0; }

/// The largest power of two, up to a vector's width, that divides the address.
int alignment_of(const c10::TensorImpl& tensor) {
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data());
  return static_cast<int>(std::min<std::uintptr_t>(address & (~address + 1), graph::kVectorBytes)) +
         (address == 0 ? graph::kVectorBytes : 0);
}

std::int64_t tag_of(const c10::TensorImpl& tensor) {
  const auto device = tensor.device();
  return static_cast<std::int64_t>(c10::typeMetaToScalarType(tensor.dtype())) |
         std::int64_t{static_cast<std::uint8_t>(device.type())} << 8 |
         std::int64_t{static_cast<std::uint8_t>(device.index())} << 16 | std::int64_t{alignment_of(tensor)} << 24 |
         std::int64_t{tensor.is_wrapped_number()} << 32 | static_cast<std::int64_t>(tensor.sizes().size() + 1) << 40;
}

bool is_weight(const Call& call, std::size_t tensor) {
  const auto& weights = call.region.state().weights;
  const auto input = tensor - call.written.size();
  return tensor >= call.written.size() && input < weights.size() && weights[input];
}

/// Grad mode is on and eager would record a backward function, or carries a tangent.
bool needs_gradient(const Call& call, std::size_t i, const c10::TensorImpl& tensor) {
  if (tensor.autograd_meta() == nullptr) return false;
  if (c10::GradMode::is_enabled() && tensor.requires_grad())
    return !(call.region.state().options.inference && is_weight(call, i));
  return tensor.autograd_meta()->fw_grad(0, call.tensor_value(i)).defined();
}

std::optional<FallbackReason> append_tensor(const Call& call, std::size_t i, Signature& words) {
  const auto* tensor = call.tensor(i);
  if (tensor == nullptr) {
    words.push_back(0);
    return std::nullopt;
  }
  if (!has_only(tensor->key_set(), kPlainTensor)) return FallbackReason::dispatch_key;
  if (!dtype_from(c10::typeMetaToScalarType(tensor->dtype()))) return FallbackReason::dtype;
  if (needs_gradient(call, i, *tensor)) return FallbackReason::needs_gradient;
  words.push_back(tag_of(*tensor));
  words.append(tensor->sizes().begin(), tensor->sizes().end());
  words.append(tensor->strides().begin(), tensor->strides().end());
  return std::nullopt;
}

/// A tensor without dims may be on the host while the others are on a cuda device, and nothing else may differ.
std::optional<FallbackReason> check_device(const Call& call, const CallDevice& device) {
  for (std::size_t i = 0; i < call.num_tensors(); ++i) {
    const auto* tensor = call.tensor(i);
    if (tensor == nullptr) continue;
    const bool on_host = tensor->device().is_cpu();
    const bool same =
        device.device == graph::Device::host ? on_host : !on_host && tensor->device().index() == device.index;
    if (!same && !(on_host && tensor->dim() == 0)) return FallbackReason::device_mix;
  }
  const auto wanted = call.region.state().options.device;
  const auto excluded = device.device == graph::Device::host ? FuseOn::cuda : FuseOn::cpu;
  if (wanted == excluded) return FallbackReason::device;
  return std::nullopt;
}

std::optional<FallbackReason> check_thread(const CallDevice& device) {
  const auto keys = c10::impl::tls_local_dispatch_key_set();
  if (!has_only(keys.included_, kPlainThread)) return FallbackReason::dispatch_key;
  const auto autocast = device.device == graph::Device::host ? DispatchKey::AutocastCPU : DispatchKey::AutocastCUDA;
  // Autocast is on where its key is not excluded.
  if (!keys.excluded_.has(autocast)) return FallbackReason::autocast;
  return std::nullopt;
}

bool holds(const c10::IValue& scalar, InputKind kind) { return kind == InputKind::floating || scalar.isInt(); }

double float_of(const c10::IValue& scalar) {
  return scalar.isDouble() ? scalar.toDouble() : static_cast<double>(scalar.toInt());
}

std::optional<FallbackReason> append_scalars(const Call& call, Signature& words) {
  const auto& body = call.region.body();
  const auto& translated = body.translated();
  for (std::size_t i = 0; i < call.scalars.size(); ++i) {
    const auto& scalar = call.scalars[i];
    const auto input = body.num_tensors() + i;
    if (!scalar.isInt() && !scalar.isDouble()) return FallbackReason::dtype;
    if (!holds(scalar, body.inputs()[input])) return FallbackReason::internal_error;
    if (!translated.needed[input]) continue;
    words.push_back(body.inputs()[input] == InputKind::floating ? std::bit_cast<std::int64_t>(float_of(scalar))
                                                                : scalar.toInt());
  }
  return std::nullopt;
}

graph::ScalarFact scalar_fact(InputKind kind, const c10::IValue& scalar, bool needed) {
  switch (kind) {
  case InputKind::floating:
    return {graph::DType::f64, needed ? std::optional<graph::Operand>(float_of(scalar)) : std::nullopt};
  case InputKind::boolean:
    return {graph::DType::b8, needed ? std::optional<graph::Operand>(scalar.toInt() != 0) : std::nullopt};
  default:
    return {graph::DType::i64, needed ? std::optional<graph::Operand>(scalar.toInt()) : std::nullopt};
  }
}

graph::TensorType type_of(const c10::TensorImpl& tensor) {
  graph::TensorType type;
  type.dtype = dtype_from(c10::typeMetaToScalarType(tensor.dtype())).value();
  type.sizes = tensor.sizes().vec();
  type.strides = tensor.strides().vec();
  type.device = tensor.device().is_cpu() ? graph::Device::host : graph::Device::cuda;
  type.alignment = alignment_of(tensor);
  type.wrapped_number = tensor.is_wrapped_number();
  return type;
}

graph::Place place_of(const CallDevice& device) {
  const bool cuda = device.device == graph::Device::cuda;
  return {device.device, device.index, !cuda || c10::cuda::current_device() == device.index};
}

}  // namespace

std::uint64_t hash_of(c10::ArrayRef<std::int64_t> words) {
  return XXH3_64bits(words.data(), words.size() * sizeof(std::int64_t));
}

CallDevice device_of(const Call& call) {
  CallDevice found;
  bool any = false;
  for (std::size_t i = 0; i < call.num_tensors(); ++i) {
    const auto* tensor = call.tensor(i);
    if (tensor == nullptr) continue;
    const bool cuda = tensor->device().is_cuda();
    if (tensor->dim() == 0 && (any || !cuda)) continue;
    found = {cuda ? graph::Device::cuda : graph::Device::host, cuda ? tensor->device().index() : 0};
    if (tensor->dim() > 0) return found;
    any = true;
  }
  return found;
}

std::optional<FallbackReason> read_signature(const Call& call, Signature& words) {
  words.push_back(call.region.plan_key());
  words.push_back(static_cast<std::int64_t>(c10::get_default_dtype_as_scalartype()));
  for (std::size_t i = 0; i < call.num_tensors(); ++i)
    if (auto reason = append_tensor(call, i, words)) return reason;
  const auto device = device_of(call);
  if (auto reason = check_device(call, device)) return reason;
  if (auto reason = check_thread(device)) return reason;
  words.push_back(std::int64_t{place_of(device).is_current});
  return append_scalars(call, words);
}

graph::CallFacts facts_of(const Call& call) {
  graph::CallFacts facts;
  facts.default_dtype = dtype_from(c10::get_default_dtype_as_scalartype()).value_or(graph::DType::f32);
  facts.place = place_of(device_of(call));
  for (std::size_t i = 0; i < call.num_tensors(); ++i) {
    const auto* tensor = call.tensor(i);
    if (tensor == nullptr)
      facts.inputs.emplace_back(graph::None{});
    else
      facts.inputs.emplace_back(type_of(*tensor));
  }
  const auto& body = call.region.body();
  for (std::size_t i = 0; i < call.scalars.size(); ++i) {
    const auto input = body.num_tensors() + i;
    facts.inputs.emplace_back(scalar_fact(body.inputs()[input], call.scalars[i], body.translated().needed[input]));
  }
  return facts;
}

std::string text_of(const graph::CallFacts& facts) {
  std::string text;
  const auto append = [&](std::string_view word) { text.append(text.empty() ? "" : " ").append(word); };
  for (const auto& input : facts.inputs) {
    if (const auto* type = std::get_if<graph::TensorType>(&input)) {
      append(fmt::format("{}[{}]", graph::name_of(type->dtype), fmt::join(type->sizes, ",")));
      if (type->strides != graph::contiguous_strides(type->sizes))
        text += fmt::format("{{{}}}", fmt::join(type->strides, ","));
    } else if (const auto* scalar = std::get_if<graph::ScalarFact>(&input)) {
      const auto* held = scalar->value ? &scalar->value->held : nullptr;
      if (held == nullptr)
        append(graph::name_of(scalar->dtype));
      else if (const auto* i = std::get_if<std::int64_t>(held))
        append(fmt::format("{}", *i));
      else if (const auto* d = std::get_if<double>(held))
        append(fmt::format("{}", *d));
      else if (const auto* b = std::get_if<bool>(held))
        append(*b ? "true" : "false");
    } else {
      append("None");
    }
  }
  return text;
}

}  // namespace torchweld::runtime
