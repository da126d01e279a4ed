#include <ATen/ops/randn.h>

#include <cstdlib>
#include <optional>

#include "frontend/random_program.h"
#include "frontend/scripted.h"
#include "frontend/sink_lists.h"

namespace torchweld::frontend {
namespace {

/// TorchScript without PyTorch's optimizations, which lose writes to elements of lists.
torch::jit::Module reference_of(const std::string& source) {
  auto module = scripted(source);
  const auto method = module.get_method("forward");
  show_aliases(*graph_of(method.function()));
  sink_lists(*graph_of(method.function()));
  use_simple_executor(method.function());
  return module;
}

struct Result {
  std::optional<c10::IValue> value;
  std::string error;  ///< when the call raises: a view may not fit its layout
};

Result result_of(torch::jit::Module& module, const std::vector<c10::IValue>& inputs) {
  try {
    return {module.forward(inputs), {}};
  } catch (const std::exception& error) {
    return {std::nullopt, error.what()};
  }
}

/// Also after a call that raises, inputs hold the same.
void expect_equal_runs(const std::string& source, int n) {
  auto reference = reference_of(source);
  auto [fast, outcome] = optimize_with_outcome(scripted(source));
  EXPECT_EQ(outcome.refusal, "");
  for (int call = 0; call < 2; ++call) {
    const auto a = at::randn({4, 4});
    const auto b = at::randn({4, 4});
    std::vector<c10::IValue> expected_inputs{a.clone(), b.clone(), n};
    std::vector<c10::IValue> found_inputs{a.clone(), b.clone(), n};
    const auto expected = result_of(reference, expected_inputs);
    const auto found = result_of(fast, found_inputs);
    if (expected.error.find("INTERNAL ASSERT") != std::string::npos) return;  // TorchScript's own interpreter failed
    ASSERT_EQ(found.value.has_value(), expected.value.has_value()) << found.error << expected.error;
    if (expected.value) expect_same(*found.value, *expected.value);
    for (std::size_t i = 0; i < 2; ++i) expect_same(found_inputs[i], expected_inputs[i]);
  }
}

TEST(RandomPrograms, GiveTheSameBits) {
  const FallbackOnly fallback_only;
  const at::NoGradGuard no_grad;
  const char* more = std::getenv("TORCHWELD_RANDOM_PROGRAMS");
  const unsigned count = more ? static_cast<unsigned>(std::atoi(more)) : 200;
  for (unsigned seed = 1; seed <= count && !::testing::Test::HasFailure(); ++seed) {
    const std::string source = RandomProgram(seed).source();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + source);
    try {
      expect_equal_runs(source, static_cast<int>(seed % 4));
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

}  // namespace
}  // namespace torchweld::frontend
