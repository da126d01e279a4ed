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
  for (const fusion::Group& group : program.plan.groups)
    program.kernels.push_back(print_kernel(program.graph, group, target));
  return program;
}

}  // namespace torchweld::codegen
