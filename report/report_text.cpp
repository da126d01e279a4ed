#include <torch/csrc/jit/api/module.h>

#include "report/collect.h"
#include "torchweld/torchweld.h"

namespace torchweld {

std::string report_text(const torch::jit::Module& module, const Outcome& outcome, const std::string& method) {
  report::Report report = report::collect(module, &outcome, method);
  report.model = module.type()->name() ? module.type()->name()->name() : "module";
  report.inputs = "those of all calls so far";
  return report::text_of(report);
}

}  // namespace torchweld
