#include "codegen/run_kernels.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <stdexcept>

#include "codegen/compile_host.h"
#include "codegen/embedded.h"
#include "codegen/typed_bytes.h"
#include "emulation/emulation.h"
#include "fusion/primitives.h"

namespace torchweld::testing {
namespace {

using codegen::Kernel;
using graph::DType;
using graph::Value;

using Bytes = std::map<Value, std::vector<std::byte>>;

double number_at(const fusion::Number& number, const Memory& memory) {
  if (const auto* integer = std::get_if<std::int64_t>(&number.held)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&number.held)) return *real;
  if (const auto* boolean = std::get_if<bool>(&number.held)) return *boolean ? 1 : 0;
  return memory.at(std::get<Value>(number.held)).at(0);
}

template <class T>
std::vector<std::byte> bytes_of(const T& value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// The bytes of an argument that is no pointer.
std::vector<std::byte> bytes_of_argument(const codegen::Argument& argument, const Memory& memory) {
  if (const auto* integer = std::get_if<codegen::IntArgument>(&argument))
    return integer->bytes == 8 ? bytes_of(integer->value) : bytes_of(static_cast<std::uint32_t>(integer->value));
  if (const auto* divisor = std::get_if<codegen::DivisorArgument>(&argument))
    return bytes_of(codegen::divisor_bytes(divisor->divisor));
  const auto& number = std::get<codegen::NumberArgument>(argument);
  return bytes_from_numbers(number.dtype, {number_at(number.number, memory)});
}

bool writes(const fusion::Group& group, Value value) {
  for (const fusion::Store& store : group.stores)
    if (group.accesses[static_cast<std::size_t>(store.access)].value == value) return true;
  return false;
}

Bytes typed(const Case& a_case) {
  Bytes bytes;
  for (const auto& [value, numbers] : a_case.inputs)
    if (std::holds_alternative<graph::TensorType>(a_case.graph.type(value)))
      bytes[value] = bytes_from_numbers(a_case.graph.tensor(value).dtype, numbers);
  return bytes;
}

Memory untyped(const Case& a_case, const Bytes& bytes) {
  Memory memory = a_case.inputs;
  for (const auto& [value, held] : bytes) memory[value] = numbers_from_bytes(a_case.graph.tensor(value).dtype, held);
  return memory;
}

std::vector<std::byte>& buffer_of(const Case& a_case, Bytes& bytes, Value value) {
  const graph::TensorType& type = a_case.graph.tensor(value);
  auto [place, is_new] = bytes.try_emplace(value);
  if (is_new) place->second.resize(buffer_size(type) * static_cast<std::size_t>(graph::size_of(type.dtype)));
  return place->second;
}

std::vector<std::vector<Kernel>> print_all(std::span<const Case> cases, const codegen::Target& target) {
  std::vector<std::vector<Kernel>> kernels;
  for (const Case& a_case : cases) {
    kernels.emplace_back();
    for (const fusion::Group& group : a_case.plan.groups)
      for (Kernel& kernel : codegen::print_kernels(a_case.graph, group, target)) {
        kernel.group = static_cast<int>(&group - a_case.plan.groups.data());
        kernels.back().push_back(std::move(kernel));
      }
  }
  return kernels;
}

/// The text with the kernel called `name`: one library holds kernels of equal names.
std::string renamed(const Kernel& kernel, const std::string& name) {
  std::string text = kernel.text;
  const std::size_t at = text.find(' ' + kernel.name + '(');
  return text.replace(at + 1, kernel.name.size(), name);
}

using HostFunction = void (*)(const void* const*, long long, long long);

void call_host(HostFunction function, const Kernel& kernel, const Case& a_case, Bytes& bytes) {
  const Memory memory = a_case.inputs;
  std::vector<std::vector<std::byte>> held;
  for (const codegen::Argument& argument : kernel.arguments) {
    if (const auto* pointer = std::get_if<codegen::PointerArgument>(&argument))
      held.push_back(bytes_of(buffer_of(a_case, bytes, pointer->value).data() + pointer->byte_offset));
    else
      held.push_back(bytes_of_argument(argument, memory));
  }
  std::vector<const void*> arguments;
  for (const auto& bytes_of_one : held) arguments.push_back(bytes_of_one.data());
  const std::int64_t grid = kernel.launch.grid, first = grid / 3;
  function(arguments.data(), first, grid);
  function(arguments.data(), 0, first);
}

void call_emulated(const emulation::Kernel& compiled, const Kernel& kernel, const fusion::Group& group,
                   const Case& a_case, Bytes& bytes, emulation::Buffer& partial) {
  std::map<Value, emulation::Buffer> buffers;
  if (kernel.partial_bytes > 0)  // NaN at first: between the partial results of two reductions there may be a gap
    partial = {emulation::Use::in_out,
               std::vector<std::byte>(static_cast<std::size_t>(kernel.partial_bytes), std::byte{0xff}), 0};
  else
    partial.use = emulation::Use::input;
  std::vector<emulation::Argument> arguments;
  for (const codegen::Argument& argument : kernel.arguments) {
    if (const auto* place = std::get_if<codegen::PartialArgument>(&argument)) {
      arguments.push_back(emulation::pointer_to(partial, place->byte_offset));
      continue;
    }
    const auto* pointer = std::get_if<codegen::PointerArgument>(&argument);
    if (!pointer) {
      arguments.push_back({bytes_of_argument(argument, a_case.inputs), {}});
      continue;
    }
    const bool holds = bytes.contains(pointer->value);
    const auto use = !writes(group, pointer->value) ? emulation::Use::input
                     : holds                        ? emulation::Use::in_out
                                                    : emulation::Use::output;
    const int alignment = a_case.graph.tensor(pointer->value).alignment;
    auto [place, is_new] = buffers.try_emplace(pointer->value);
    if (is_new)
      place->second = {use, buffer_of(a_case, bytes, pointer->value),
                       alignment < graph::kVectorBytes ? static_cast<std::size_t>(alignment) : 0};
    arguments.push_back(emulation::pointer_to(place->second, pointer->byte_offset));
  }
  if (kernel.launch.grid == 0) {
    for (auto& [value, buffer] : buffers) bytes[value] = std::move(buffer.bytes);
    return;
  }
  const emulation::Launch launch{static_cast<unsigned>(kernel.launch.grid), static_cast<unsigned>(kernel.launch.block),
                                 static_cast<unsigned>(kernel.launch.cluster),
                                 static_cast<unsigned>(kernel.launch.dynamic_shared)};
  const std::string report = emulation::run(compiled, launch, arguments, {0, 3});
  if (!report.empty()) throw std::runtime_error(a_case.name + ": " + report + "\n" + kernel.text);
  for (auto& [value, buffer] : buffers) bytes[value] = std::move(buffer.bytes);
}

}  // namespace

Case case_of(std::string name, graph::Graph primitive, std::uint32_t seed) {
  Case made{std::move(name), std::move(primitive), {}, {}};
  made.plan = plan_of(made.graph);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> numbers(-3, 3);
  for (const Value input : made.graph.inputs()) {
    const auto* tensor = std::get_if<graph::TensorType>(&made.graph.type(input));
    std::vector<double> held(tensor ? buffer_size(*tensor) : 1);
    for (double& number : held) number = numbers(random);
    const DType dtype = tensor ? tensor->dtype : std::get<graph::ScalarType>(made.graph.type(input)).dtype;
    if (graph::is_integral(dtype))
      for (double& number : held) number = dtype == DType::b8 ? number > 0 : std::trunc(number);
    if (dtype == DType::u8)
      for (double& number : held) number = std::fabs(number);
    made.inputs[input] = numbers_from_bytes(dtype, bytes_from_numbers(dtype, held));
  }
  return made;
}

Case case_of(std::string name, std::string_view region, std::uint32_t seed) {
  return case_of(std::move(name), primitives_of(region), seed);
}

Case with_special_values(Case a_case) {
  const double specials[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 1e4, -1e4, 88, -88};
  a_case.name += "_special";
  for (auto& [input, held] : a_case.inputs) {
    const auto* tensor = std::get_if<graph::TensorType>(&a_case.graph.type(input));
    if (!tensor || !graph::is_floating(tensor->dtype)) continue;
    for (std::size_t i = 0; i < held.size(); ++i)
      if (i % 5 == 2) held[i] = specials[i / 5 % std::size(specials)];
    held = numbers_from_bytes(tensor->dtype, bytes_from_numbers(tensor->dtype, held));
  }
  return a_case;
}

std::vector<Memory> run_on_host(std::span<const Case> cases) {
  const auto kernels = print_all(cases, {});
  std::string text(codegen::prelude(codegen::Backend::host));
  for (std::size_t c = 0; c < cases.size(); ++c)
    for (std::size_t k = 0; k < kernels[c].size(); ++k)
      text += renamed(kernels[c][k], "kernel_" + std::to_string(c) + "_" + std::to_string(k));
  void* library = compile_host(text);
  std::vector<Memory> results;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    Bytes bytes = typed(cases[c]);
    for (std::size_t k = 0; k < kernels[c].size(); ++k) {
      const std::string name = "kernel_" + std::to_string(c) + "_" + std::to_string(k);
      call_host(reinterpret_cast<HostFunction>(dlsym(library, name.c_str())), kernels[c][k], cases[c], bytes);
    }
    results.push_back(untyped(cases[c], bytes));
  }
  return results;
}

std::vector<Memory> run_emulated(std::span<const Case> cases, const codegen::Target& target) {
  const auto kernels = print_all(cases, target);
  std::vector<emulation::Source> sources;
  for (std::size_t c = 0; c < cases.size(); ++c)
    for (const Kernel& kernel : kernels[c]) sources.push_back({cases[c].name + ".cu", kernel.text});
  const auto prelude =
      emulation::prelude_without_target(codegen::prelude(codegen::Backend::cuda), codegen::embedded_file("target.cuh"));
  const std::vector<emulation::Kernel> compiled = emulation::compile(prelude, sources);
  std::vector<Memory> results;
  std::size_t next = 0;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    Bytes bytes = typed(cases[c]);
    emulation::Buffer partial;
    for (std::size_t k = 0; k < kernels[c].size(); ++k, ++next) {
      const fusion::Group& group = cases[c].plan.groups[static_cast<std::size_t>(kernels[c][k].group)];
      call_emulated(compiled[next], kernels[c][k], group, cases[c], bytes, partial);
    }
    results.push_back(untyped(cases[c], bytes));
  }
  return results;
}

Memory interpreted(const Case& a_case) {
  Memory memory = a_case.inputs;
  interpret(a_case.graph, a_case.plan, memory);
  return memory;
}

bool is_small(const Case& a_case) {
  std::size_t elements = 0;
  for (const auto& [value, held] : a_case.inputs) elements += held.size();
  return elements > 0 && elements <= 2500;
}

void expect_close(const Case& a_case, const Memory& found, const Memory& expected) {
  SCOPED_TRACE(a_case.name + "\n" + graph::to_text(a_case.graph));
  for (const Value output : a_case.graph.outputs()) {
    if (!expected.contains(output)) continue;  // a view of an input
    ASSERT_TRUE(found.contains(output));
    const std::vector<double>& wanted = expected.at(output);
    const std::vector<double>& got = found.at(output);
    ASSERT_EQ(got.size(), wanted.size());
    // Intermediates between kernels are rounded too, and reductions add in another order.
    const double tolerance = 8 * epsilon_of(a_case.graph.tensor(output).dtype);
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i]))) continue;
      ASSERT_TRUE(std::isfinite(got[i]) && std::isfinite(wanted[i]))
          << "%" << output.index << " at " << i << ": " << got[i] << ", expected " << wanted[i];
      ASSERT_LE(std::fabs(got[i] - wanted[i]), tolerance * std::max(1.0, std::fabs(wanted[i])))
          << "%" << output.index << " at " << i << ": " << got[i] << ", expected " << wanted[i];
    }
  }
}

}  // namespace torchweld::testing
