#include "codegen/kernel.h"
#include "fusion/sink_slices.h"

namespace torchweld::codegen {

std::variant<Program, graph::Unsupported> build_program(const graph::Graph& region, const graph::CallFacts& facts,
                                                        const Target& target, const fusion::PlanOptions& options) {
  auto typed = graph::infer(region, facts);
  if (auto* refusal = std::get_if<graph::Unsupported>(&typed)) return std::move(*refusal);
  auto lowered = graph::lower(std::get<graph::Graph>(typed));
  if (auto* refusal = std::get_if<graph::Unsupported>(&lowered)) return std::move(*refusal);

  Program program;
  const auto memory = graph::memory_of_outputs(std::get<graph::Graph>(typed));
  program.graph =
      fusion::sink_slices(graph::copy_outputs(graph::simplify_primitives(std::get<graph::Graph>(lowered)), memory));
  auto plan = fusion::make_plan(program.graph, options);
  if (auto* refusal = std::get_if<graph::Unsupported>(&plan)) return std::move(*refusal);
  program.plan = std::move(std::get<fusion::Plan>(plan));
  for (std::size_t i = 0; i < program.plan.groups.size(); ++i)
    for (Kernel& kernel : print_kernels(program.graph, program.plan.groups[i], target)) {
      kernel.group = static_cast<int>(i);
      program.kernels.push_back(std::move(kernel));
    }
  return program;
}

}  // namespace torchweld::codegen
