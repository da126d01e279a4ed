#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "report/collect.h"
#include "report/describe.h"
#include "report/report.h"
#include "torchweld/torchweld.h"

namespace torchweld::cli {

int report_model(const ReportOptions& options) {
  const Options optimizer = options_from_strings(options.optimize);
  ModelCall request = load_call(options.call);
  auto [fused, outcome] = optimize_with_outcome(request.module, optimizer);
  first_call(request, fused);

  report::Report report = report::collect(fused, &outcome, request.method);
  report.model = std::filesystem::path(options.call.model).filename().string();
  report.inputs = report::describe_inputs(request.inputs);
  if (options.format == "json")
    fmt::print("{}\n", report::json_of(report));
  else if (options.format == "dot")
    fmt::print("{}", report::dot_of(report));
  else
    fmt::print("{}", report::text_of(report, {.columns = 80, .colour = colours_wanted()}));
  return 0;
}

}  // namespace torchweld::cli
