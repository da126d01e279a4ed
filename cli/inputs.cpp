#include "cli/inputs.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <array>
#include <fstream>
#include <iterator>

#include "report/describe.h"
#include "torchweld/error.h"

namespace torchweld::cli {
namespace {

using graph::DType;

/// In the order of graph::DType.
constexpr std::array kScalarTypes{c10::ScalarType::Double,   c10::ScalarType::Float, c10::ScalarType::Half,
                                  c10::ScalarType::BFloat16, c10::ScalarType::Long,  c10::ScalarType::Int,
                                  c10::ScalarType::Short,    c10::ScalarType::Char,  c10::ScalarType::Byte,
                                  c10::ScalarType::Bool};

at::Tensor make_tensor(const TensorSpec& spec, const at::Generator& generator) {
  const auto options = at::TensorOptions().dtype(kScalarTypes.at(static_cast<std::size_t>(spec.dtype)));
  if (graph::is_floating(spec.dtype)) return at::randn(spec.sizes, generator, options);
  return at::randint(spec.low, spec.high + 1, spec.sizes, generator, options);
}

std::vector<char> bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error(fmt::format("--inputs {}: cannot be read, expected a file made by torch.save((x, y), path)", path));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::vector<c10::IValue> make_inputs(std::span<const InputSpec> specs, std::uint64_t seed) {
  const at::Generator generator = at::detail::createCPUGenerator(seed);
  std::vector<c10::IValue> values;
  for (const InputSpec& spec : specs) {
    if (const auto* tensor = std::get_if<TensorSpec>(&spec))
      values.emplace_back(make_tensor(*tensor, generator));
    else if (const auto* flag = std::get_if<bool>(&spec))
      values.emplace_back(*flag);
    else if (const auto* whole = std::get_if<std::int64_t>(&spec))
      values.emplace_back(*whole);
    else
      values.emplace_back(std::get<double>(spec));
  }
  return values;
}

std::vector<c10::IValue> load_inputs(const std::string& path) {
  const std::vector<char> bytes = bytes_of_file(path);
  c10::IValue loaded;
  try {
    loaded = torch::jit::pickle_load(bytes);
  } catch (const c10::Error&) {
    throw Error(fmt::format(
        "--inputs {}: not a whole file of torch.save, expected one made by torch.save((x, y), path)", path));
  }
  if (!loaded.isTuple())
    throw Error(fmt::format("--inputs {}: holds {}, expected a tuple with one element per input, as in "
                            "torch.save((x, y), path)",
                            path, report::describe(loaded)));
  return loaded.toTupleRef().elements().vec();
}

c10::IValue copy_to(const c10::IValue& value, c10::Device device) { return value.deepcopy(device); }

}  // namespace torchweld::cli
