#include <CLI/CLI.hpp>
#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "torchweld/error.h"

namespace torchweld::cli {
namespace {

constexpr int kBadInput = 2;

constexpr const char* kExamples = R"(Inputs:
  --input 'f32[1,512]'           normal random values
  --input 'i64[2,77]:0..30521'   random integers of that range, or of 0..1
  --input 16000                  a number; also 0.5, true, false
  dtypes: f64 f32 f16 bf16 i64 i32 i16 i8 u8 bool

Examples:
  torchweld run model.pt --input 'f32[1,512]' --input 16000 --check
  torchweld report model.pt --input 'f32[1,512]' --input 16000
  torchweld report model.pt --inputs inputs.pt --format json
  torchweld kernels model.pt --input 'f32[1,512]' --input 16000 --emit cuda
)";

/// Options of the optimizer that make sense for one run; their values are checked where they are read.
void add_optimizer_options(CLI::App& command, std::map<std::string, std::string>& optimize) {
  struct Flag {
    const char* flag;
    const char* option;
    const char* values;
    const char* meaning;
  };
  constexpr std::array kFlags{
      Flag{"--numerics", "numerics", "NAME", "fp32, or eager: round after every op"},
      Flag{"--mode", "mode", "NAME", "block, background or cached_only"},
      Flag{"--arch", "arch", "ARCH", "CUDA target such as sm_90; the device's own"},
      Flag{"--cache-dir", "cache_dir", "FOLDER", "Where compiled kernels are kept"},
      Flag{"--min-region-nodes", "min_region_nodes", "N", "Smaller regions stay as they were"},
  };
  for (const Flag& flag : kFlags)
    command
        .add_option_function<std::string>(
            flag.flag, [&optimize, name = flag.option](const std::string& value) { optimize[name] = value; },
            flag.meaning)
        ->type_name(flag.values);
}

void add_call_options(CLI::App& command, CallOptions& call, std::map<std::string, std::string>& optimize) {
  command.add_option("model", call.model, "TorchScript file")->required();
  command.add_option("--input", call.inputs, "One input, such as 'f32[1,512]'; repeatable")
      ->allow_extra_args(false)
      ->type_name("SPEC");
  command.add_option("--inputs", call.inputs_file, "A tuple saved by torch.save or torch::pickle_save")
      ->type_name("FILE");
  command.add_option("--device", call.device, "cpu or cuda")->capture_default_str()->type_name("NAME");
  command.add_option("--method", call.method, "The method to call")->capture_default_str()->type_name("NAME");
  command.add_option("--seed", call.seed, "Seed of random inputs")->capture_default_str()->type_name("N");
  add_optimizer_options(command, optimize);
  command.footer(kExamples);
}

/// What one line can say: for TorchScript's errors the line that names the fault, without its C++ stack.
std::string one_line(std::string_view message) {
  while (!message.empty() && message.back() == '\n') message.remove_suffix(1);
  const std::size_t traceback = message.find("RuntimeError: ");
  if (traceback != std::string_view::npos) message.remove_prefix(traceback + std::string_view("RuntimeError: ").size());
  return std::string(message.substr(0, message.find('\n')));
}

/// Warnings come as one line too, without the place in our sources.
class PlainWarnings : public c10::WarningHandler {
  void process(const c10::Warning& warning) override { fmt::print(stderr, "{}\n", one_line(warning.msg())); }
};

int report_failure(const std::string& message) {
  fmt::print(stderr, "torchweld: {}\n", message);
  return kBadInput;
}

int run_command(CLI::App& app, const RunOptions& run, const ReportOptions& report, const KernelsOptions& kernels) {
  try {
    if (app.got_subcommand("run")) return run_model(run);
    if (app.got_subcommand("report")) return report_model(report);
    return print_kernels(kernels);
  } catch (const Error& error) {
    return report_failure(error.what());
  } catch (const c10::Error& error) {
    return report_failure(one_line(error.what_without_backtrace()));
  } catch (const std::exception& error) {
    return report_failure(one_line(error.what()));
  }
}

int run_tool(int count, char** arguments) {
  PlainWarnings warnings;
  const c10::WarningUtils::WarningHandlerGuard guard(&warnings);
  CLI::App app("Torchweld: a fusion compiler for TorchScript");
  app.name("torchweld");
  app.require_subcommand(1);
  app.footer(kExamples);

  RunOptions run;
  CLI::App* run_app = app.add_subcommand("run", "Optimize a model, run it and time it");
  add_call_options(*run_app, run.call, run.optimize);
  run_app->add_option("--iterations", run.iterations, "Calls after the first")
      ->capture_default_str()
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  run_app->add_flag("--check", run.check, "Compare with TorchScript; exit 1 where they differ");
  run_app->add_option("--tolerance", run.tolerance, "Allowed, of the largest value; 1e-4, 16 bits 2e-2")
      ->type_name("X");

  ReportOptions report;
  CLI::App* report_app = app.add_subcommand("report", "What was fused, what was not and why");
  add_call_options(*report_app, report.call, report.optimize);
  report_app->add_option("--format", report.format, "text or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("NAME");

  KernelsOptions kernels;
  CLI::App* kernels_app = app.add_subcommand("kernels", "Print the generated kernels");
  add_call_options(*kernels_app, kernels.call, kernels.optimize);
  kernels_app->add_option("--emit", kernels.emit, "cuda or cpp; the device's own when not given")
      ->check(CLI::IsMember({"cuda", "cpp"}))
      ->type_name("LANGUAGE");

  try {
    app.parse(count, arguments);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return report_failure(fmt::format("{}; see torchweld --help", one_line(error.what())));
  }
  return run_command(app, run, report, kernels);
}

}  // namespace
}  // namespace torchweld::cli

int main(int count, char** arguments) { return torchweld::cli::run_tool(count, arguments); }
