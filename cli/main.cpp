#include <CLI/CLI.hpp>
#include <c10/util/Exception.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "cli/add_options.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "torchweld/error.h"

namespace torchweld::cli {
namespace {

constexpr int kBadInput = 2;

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

/// What the commands are given.
struct Choices {
  RunOptions run;
  ReportOptions report;
  KernelsOptions kernels;
  CacheOptions cache;
};

void add_run(CLI::App& app, RunOptions& run) {
  CLI::App* command = app.add_subcommand("run", "Optimize a model, run it and time it");
  add_call_options(*command, run.call, run.optimize);
  command->add_option("--iterations", run.iterations, "Calls after the first")
      ->capture_default_str()
      ->check(at_least_one())
      ->type_name("N");
  command->add_flag("--check", run.check, "Compare with TorchScript; exit 1 where they differ");
  command->add_option("--tolerance", run.tolerance, "Allowed, of the largest value; 1e-4, 16 bits 2e-2")
      ->type_name("X");
  command->footer(std::string(kHelpOfInputs) + kExamplesOfRun);
}

void add_report(CLI::App& app, ReportOptions& report) {
  CLI::App* command = app.add_subcommand("report", "What was fused, what was not and why");
  add_call_options(*command, report.call, report.optimize);
  command->add_option("--format", report.format, "text, json or dot (for Graphviz)")
      ->capture_default_str()
      ->check(one_of({"text", "json", "dot"}))
      ->type_name("NAME");
  command->footer(std::string(kHelpOfInputs) + kExamplesOfReport);
}

void add_kernels(CLI::App& app, KernelsOptions& kernels) {
  CLI::App* command = app.add_subcommand("kernels", "Print the generated kernels");
  add_call_options(*command, kernels.call, kernels.optimize);
  command->add_option("--emit", kernels.emit, "cuda, ptx, sass, cubin or cpp; the device's text")
      ->check(one_of({"cuda", "ptx", "sass", "cubin", "cpp"}))
      ->type_name("FORM");
  command->add_option("--output", kernels.output, "Write a file for each kernel there")->type_name("FOLDER");
  command->footer(std::string(kHelpOfInputs) + kExamplesOfKernels);
}

void add_cache(CLI::App& app, CacheOptions& cache) {
  CLI::App* command = app.add_subcommand("cache", "List or clear the compiled kernels on disk");
  command->require_subcommand(1);
  command->footer(kExamplesOfCache);
  CLI::App* list = command->add_subcommand("list", "Sizes and ages of the kernels");
  CLI::App* clear = command->add_subcommand("clear", "Remove them and say how many there were");
  for (CLI::App* each : {list, clear}) {
    each->add_option("--cache-dir", cache.folder, "Where they are kept")->type_name("FOLDER");
    each->footer(kExamplesOfCache);
  }
}

int run_command(const CLI::App& app, const Choices& choices) {
  try {
    if (app.got_subcommand("run")) return run_model(choices.run);
    if (app.got_subcommand("report")) return report_model(choices.report);
    if (app.got_subcommand("kernels")) return print_kernels(choices.kernels);
    return app.get_subcommand("cache")->got_subcommand("list") ? list_cache(choices.cache) : clear_cache(choices.cache);
  } catch (const Error& error) {
    return report_failure(error.what());
  } catch (const c10::Error& error) {
    return report_failure(one_line(error.what_without_backtrace()));
  } catch (const std::exception& error) {
    return report_failure(one_line(error.what()));
  }
}

/// Whatever the parser did not like, in one line that ends with where to look.
std::string explain(const CLI::App& app, const CLI::ParseError& error, int count, char** arguments) {
  const CLI::App* command = &app;
  std::string name = app.get_name();
  int next = 1;
  for (; !command->get_subcommands().empty(); ++next) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
  std::string what = one_line(error.what());
  if (const auto commands = command->get_subcommands(nullptr); !commands.empty()) {
    std::vector<std::string> names;
    for (const CLI::App* each : commands) names.push_back(each->get_name());
    what = fmt::format("{}, expected one of {}",
                       next < count ? fmt::format("'{}' is no command", arguments[next]) : "no command given",
                       fmt::join(names, " "));
  }
  return fmt::format("{}; see {} --help", what, name);
}

int run_tool(int count, char** arguments) {
  PlainWarnings warnings;
  const c10::WarningUtils::WarningHandlerGuard guard(&warnings);
  CLI::App app("Torchweld: a fusion compiler for TorchScript");
  app.name("torchweld");
  app.set_version_flag("--version", "torchweld " TORCHWELD_VERSION);
  app.require_subcommand(1);
  app.footer(kExamplesOfTool);
  Choices choices;
  add_run(app, choices.run);
  add_report(app, choices.report);
  add_kernels(app, choices.kernels);
  add_cache(app, choices.cache);
  try {
    app.parse(count, arguments);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    return report_failure(explain(app, error, count, arguments));
  }
  return run_command(app, choices);
}

}  // namespace
}  // namespace torchweld::cli

int main(int count, char** arguments) { return torchweld::cli::run_tool(count, arguments); }
