#include "cli/add_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "torchweld/option_rows.h"

namespace torchweld::cli {
namespace {

constexpr const char* kGroup = "Optimizer";

/// "fp32|eager" where there is a choice, else the last word of the flag: "--cache-dir DIR".
std::string placeholder_of(const OptionRow& row) {
  std::string text(row.values);
  const bool choice = text.find(", ") != std::string::npos && text.find("...") == std::string::npos;
  if (!choice) {
    text = row.flag.substr(row.flag.rfind('-') + 1);
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
    return text;
  }
  for (auto at = text.find(", "); at != std::string::npos; at = text.find(", ")) text.replace(at, 2, "|");
  return text;
}

std::string sentence(std::string_view text) {
  std::string result(text);
  result.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(result.front())));
  return result;
}

/// `--strict` alone means true. The values are checked where they are read.
void add_optimizer_option(CLI::App& command, const OptionRow& row, std::map<std::string, std::string>& optimize) {
  const std::string flag(row.flag);
  const auto set = [&optimize, name = std::string(row.name)](const std::string& value) { optimize[name] = value; };
  if (row.values == "true, false") {
    const bool on = row.default_value == "true";
    command.add_flag(flag)->each(set)->group(kGroup)->description(
        on ? fmt::format("{}\n(turn off with {}=false)", sentence(row.meaning), flag) : sentence(row.meaning));
    return;
  }
  const bool told = row.default_value.empty();
  command.add_option_function<std::string>(flag, set, sentence(row.meaning))
      ->type_name(told ? placeholder_of(row) : fmt::format("{}={}", placeholder_of(row), row.default_value))
      ->group(kGroup);
}

}  // namespace

CLI::Validator one_of(std::initializer_list<const char*> values) {
  const std::vector<std::string> known(values.begin(), values.end());
  return {[known](const std::string& value) {
            if (std::find(known.begin(), known.end(), value) != known.end()) return std::string();
            return fmt::format("is '{}', expected one of {}", value, fmt::join(known, " "));
          },
          ""};
}

CLI::Validator at_least_one() {
  return {[](const std::string& value) {
            int number = 0;
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
            if (error == std::errc{} && end == value.data() + value.size() && number >= 1) return std::string();
            return fmt::format("is '{}', expected a whole number of at least 1", value);
          },
          ""};
}

void add_call_options(CLI::App& command, CallOptions& call, std::map<std::string, std::string>& optimize) {
  command.add_option("model", call.model, "TorchScript file")->required()->type_name("FILE");
  command.add_option("--input", call.inputs, "One input, such as 'f32[1,512]'; repeatable")
      ->allow_extra_args(false)
      ->type_name("SPEC");
  command.add_option("--inputs", call.inputs_file, "A tuple saved by torch.save or torch::pickle_save")
      ->type_name("FILE");
  command.add_option("--device", call.device, "cpu or cuda")->capture_default_str()->type_name("NAME");
  command.add_option("--method", call.method, "The method to call")->capture_default_str()->type_name("NAME");
  command.add_option("--seed", call.seed, "Seed of random inputs")->capture_default_str()->type_name("N");
  for (const OptionRow& row : option_rows()) add_optimizer_option(command, row, optimize);
}

}  // namespace torchweld::cli
