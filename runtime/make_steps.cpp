#include "runtime/make_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "runtime/arena.h"
#include "runtime/argument_block.h"
#include "runtime/cuda_launch.h"
#include "runtime/dtypes.h"
#include "torchweld/error.h"

namespace torchweld::runtime {
namespace {

/// Elements that are worth a thread, as in ATen's own loops.
constexpr std::int64_t kElementsPerThread = 32768;

std::int64_t memory_bytes(const graph::TensorType& type) {
  std::int64_t last = 0;
  for (std::size_t dim = 0; dim < type.sizes.size(); ++dim) {
    if (type.sizes[dim] == 0) return 0;
    last += (type.sizes[dim] - 1) * type.strides[dim];
  }
  return (last + 1) * graph::size_of(type.dtype);
}

/// Where values live.
class Buffers {
public:
  explicit Buffers(LaunchPlan& plan) : plan_(plan), graph_(plan.program->graph) {
    for (const auto value : graph_.inputs()) inputs_.emplace(value, static_cast<std::uint32_t>(inputs_.size()));
    place_outputs();
    place_intermediates();
  }

  [[nodiscard]] BufferIndex find(graph::Value value) const {
    if (const auto input = inputs_.find(value); input != inputs_.end())
      return {BufferIndex::Kind::input, input->second, 0};
    const auto place = places_.find(value);
    ensure(place != places_.end(), "a kernel's pointer is an input, an output or an intermediate");
    return place->second;
  }
  /// Of the partial results that a kernel writes, or that the one before it wrote.
  [[nodiscard]] BufferIndex find_partial(std::size_t kernel) const {
    const bool writes = plan_.program->kernels[kernel].partial_bytes > 0;
    const auto place = partials_.find(writes ? kernel : kernel - 1);
    ensure(place != partials_.end(), "partial results are combined by the kernel after the one that writes them");
    return place->second;
  }
  [[nodiscard]] std::uint32_t find_input(graph::Value value) const {
    const auto input = inputs_.find(value);
    ensure(input != inputs_.end(), "a kernel's open number is an input of the region");
    return input->second;
  }

private:
  void place_outputs() {
    const auto& views = plan_.program->plan.views;
    for (const auto value : graph_.outputs()) {
      const auto& type = graph_.tensor(value);
      const auto view = std::find_if(views.begin(), views.end(), [&](const auto& v) { return v.output == value; });
      if (view != views.end()) {
        plan_.results.emplace_back(ViewSpec{inputs_.at(view->input), type.sizes, type.strides, view->offset});
        continue;
      }
      const auto next = static_cast<std::uint32_t>(plan_.outputs.size());
      const auto [place, is_new] = places_.try_emplace(value, BufferIndex{BufferIndex::Kind::output, next, 0});
      plan_.results.emplace_back(place->second.index);
      if (is_new) plan_.outputs.push_back({scalar_type_of(type.dtype), type.sizes, type.strides});
    }
  }

  /// From the first kernel that names a value to the last.
  [[nodiscard]] Lifetime lifetime_of(graph::Value value) const {
    Lifetime lifetime{memory_bytes(graph_.tensor(value)), -1, -1};
    const auto& kernels = plan_.program->kernels;
    for (std::size_t i = 0; i < kernels.size(); ++i)
      for (const auto& argument : kernels[i].arguments) {
        const auto* pointer = std::get_if<codegen::PointerArgument>(&argument);
        if (pointer == nullptr || pointer->value != value) continue;
        if (lifetime.first_step < 0) lifetime.first_step = static_cast<int>(i);
        lifetime.last_step = static_cast<int>(i);
      }
    return lifetime;
  }

  void place_intermediates() {
    std::vector<graph::Value> values;
    std::vector<Lifetime> lifetimes;
    for (const auto value : plan_.program->plan.intermediates) {
      if (places_.contains(value)) continue;  // an output that later kernels read
      values.push_back(value);
      lifetimes.push_back(lifetime_of(value));
    }
    const auto& kernels = plan_.program->kernels;
    for (std::size_t i = 0; i < kernels.size(); ++i)
      if (kernels[i].partial_bytes > 0)
        lifetimes.push_back({kernels[i].partial_bytes, static_cast<int>(i), static_cast<int>(i) + 1});
    const auto layout = lay_out(lifetimes);
    plan_.arena_bytes = layout.bytes;
    for (std::size_t i = 0; i < values.size(); ++i)
      places_[values[i]] = {BufferIndex::Kind::arena, 0, layout.offsets[i]};
    for (std::size_t i = values.size(); i < lifetimes.size(); ++i)
      partials_[static_cast<std::size_t>(lifetimes[i].first_step)] = {BufferIndex::Kind::arena, 0, layout.offsets[i]};
  }

  LaunchPlan& plan_;
  const graph::Graph& graph_;
  std::map<graph::Value, std::uint32_t> inputs_;
  std::map<graph::Value, BufferIndex> places_;
  std::map<std::size_t, BufferIndex> partials_;  ///< by the kernel that writes them
};

/// Work items that hold kElementsPerThread elements of the group's domain.
std::int64_t grain_of(const fusion::Group& group, const codegen::Launch& launch) {
  double elements = 1;
  for (const auto& axis : group.axes) elements *= static_cast<double>(axis.extent);
  const auto per_item = std::max(1.0, elements / static_cast<double>(std::max<std::int64_t>(launch.grid, 1)));
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(kElementsPerThread / per_item));
}

/// A kernel of a cuda device cannot follow the address of a host tensor.
std::optional<NoPlan> check_pointers(const LaunchPlan& plan, const Step& step) {
  if (plan.device.device == graph::Device::host) return std::nullopt;
  for (const auto& pointer : step.pointers) {
    if (pointer.buffer.kind != BufferIndex::Kind::input) continue;
    const auto* type = std::get_if<graph::TensorType>(&plan.facts.inputs[pointer.buffer.index]);
    if (type != nullptr && type->device == graph::Device::host)
      return NoPlan{FallbackReason::device_mix, step.kernel->name + " reads a host tensor"};
  }
  if (step.launch.grid > std::numeric_limits<std::int32_t>::max())
    return NoPlan{FallbackReason::too_large, fmt::format("{} needs {} blocks", step.kernel->name, step.launch.grid)};
  return std::nullopt;
}

}  // namespace

std::optional<NoPlan> make_steps(LaunchPlan& plan) {
  const auto& program = *plan.program;
  const Buffers buffers(plan);
  for (std::size_t i = 0; i < program.kernels.size(); ++i) {
    const auto& printed = program.kernels[i];
    if (printed.launch.grid == 0) continue;
    Step step;
    step.kernel = plan.kernels[i].kernel;
    step.launch = printed.launch;
    step.grain = grain_of(program.plan.groups[static_cast<std::size_t>(printed.group)], printed.launch);
    pack_arguments(
        step, printed.arguments, [&](graph::Value value) { return buffers.find(value); },
        [&](graph::Value value) { return buffers.find_input(value); }, [&] { return buffers.find_partial(i); });
    if (auto refusal = check_pointers(plan, step)) return refusal;
    if (plan.device.device == graph::Device::cuda) prepare_cuda(step, plan.device);
    plan.steps.push_back(std::move(step));
  }
  return std::nullopt;
}

}  // namespace torchweld::runtime
