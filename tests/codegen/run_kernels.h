#pragma once

#include <span>
#include <string>
#include <vector>

#include "codegen/kernel.h"
#include "fusion/interpret_group.h"

namespace torchweld::testing {

/// A planned graph with what its inputs hold.
struct Case {
  std::string name;
  graph::Graph graph;
  fusion::Plan plan;
  Memory inputs;
};

/// A case from the text of a region, with random inputs that its dtypes can hold: floats and ints between -3 and 3.
[[nodiscard]] Case case_of(std::string name, std::string_view region, std::uint32_t seed = 1);
/// The same for a primitive graph.
[[nodiscard]] Case case_of(std::string name, graph::Graph primitive, std::uint32_t seed = 1);

/// The case with NaN, infinities, zeros of both signs and large numbers among its floating inputs.
[[nodiscard]] Case with_special_values(Case a_case);

/// Runs the kernels of all cases, compiled together by the system's compiler, each in several chunks of work items.
/// Returns for each case what memory holds afterwards. Throws std::runtime_error with the compiler's message.
[[nodiscard]] std::vector<Memory> run_on_host(std::span<const Case> cases);

/// The same for CUDA text on the CPU under sanitizers. A report of theirs is thrown as std::runtime_error.
[[nodiscard]] std::vector<Memory> run_emulated(std::span<const Case> cases, const codegen::Target& target);

/// What the plan's groups compute, statement by statement in double arithmetic: slow, for small cases.
[[nodiscard]] Memory interpreted(const Case& a_case);
[[nodiscard]] bool is_small(const Case& a_case);

/// Expects every output of a case to be as expected, within some ulps of its dtype.
void expect_close(const Case& a_case, const Memory& found, const Memory& expected);

}  // namespace torchweld::testing
