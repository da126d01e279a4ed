#include "torchweld/options.h"

#include <array>
#include <charconv>
#include <string_view>

#include "torchweld/error.h"
#include "torchweld/option_rows.h"

namespace torchweld {
namespace {

template <class E>
struct Named {
  std::string_view name;
  E value;
};
constexpr std::array<Named<FuseOn>, 3> kDevices{{{"any", FuseOn::any}, {"cpu", FuseOn::cpu}, {"cuda", FuseOn::cuda}}};
constexpr std::array<Named<Numerics>, 2> kNumerics{{{"fp32", Numerics::fp32}, {"eager", Numerics::eager}}};
constexpr std::array<Named<Mode>, 3> kModes{
    {{"block", Mode::block}, {"background", Mode::background}, {"cached_only", Mode::cached_only}}};
constexpr std::array<Named<bool>, 4> kBools{{{"true", true}, {"false", false}, {"True", true}, {"False", false}}};

[[noreturn]] void refuse(std::string_view option, std::string_view found, std::string_view expected) {
  throw Error("options: " + std::string(option) + " is '" + std::string(found) + "', expected " +
              std::string(expected));
}

template <class E, std::size_t N>
E parse(const std::array<Named<E>, N>& names, std::string_view option, std::string_view text) {
  std::string expected = "one of";
  for (const auto& [name, value] : names) {
    if (name == text) return value;
    expected.append(" ").append(name);
  }
  refuse(option, text, expected);
}

template <class E, std::size_t N>
std::string print(const std::array<Named<E>, N>& names, E held) {
  for (const auto& [name, value] : names)
    if (value == held) return std::string(name);
  throw InternalError("an option holds a value without a name");
}

int parse_positive(std::string_view option, std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1)
    refuse(option, text, "a whole number of at least 1");
  return value;
}

/// nvcc's spelling of a target: sm_ and digits, perhaps a letter (sm_90a). It reaches a compiler's argument list.
std::string parse_arch(std::string_view option, std::string_view text) {
  const bool begins = text.substr(0, 3) == "sm_" && text.size() > 4;
  const auto rest = begins ? text.substr(3) : std::string_view{};
  const auto digits = rest.find_first_not_of("0123456789");
  const bool ends = digits == std::string_view::npos ||
                    (digits + 1 == rest.size() && digits >= 2 && rest[digits] >= 'a' && rest[digits] <= 'z');
  if (!text.empty() && !(begins && ends)) refuse(option, text, "a target such as sm_90, or nothing");
  return std::string(text);
}

struct Option {
  OptionRow row;
  void (*set)(Options&, std::string_view name, const std::string& text);
  std::string (*get)(const Options&);
};
using Text = const std::string&;
using Name = std::string_view;
constexpr std::array kOptions{
    Option{{"arch", "--arch", "sm_80, sm_90, sm_90a, ...", "", "CUDA target; the device's own when empty"},
           [](Options& o, Name n, Text t) { o.arch = parse_arch(n, t); },
           [](const Options& o) { return o.arch; }},
    Option{{"cache_dir", "--cache-dir", "a folder", "", "where compiled kernels are kept"},
           [](Options& o, Name, Text t) { o.cache_dir = t; },
           [](const Options& o) { return o.cache_dir; }},
    Option{{"device", "--fuse-on", "any, cpu, cuda", "any", "calls elsewhere run the original nodes"},
           [](Options& o, Name n, Text t) { o.device = parse(kDevices, n, t); },
           [](const Options& o) { return print(kDevices, o.device); }},
    Option{{"inference", "--inference", "true, false", "true", "weights that require grad do not keep kernels out"},
           [](Options& o, Name n, Text t) { o.inference = parse(kBools, n, t); },
           [](const Options& o) { return print(kBools, o.inference); }},
    Option{{"min_region_nodes", "--min-region-nodes", "1 and more", "1", "smaller regions stay as they were"},
           [](Options& o, Name n, Text t) { o.min_region_nodes = parse_positive(n, t); },
           [](const Options& o) { return std::to_string(o.min_region_nodes); }},
    Option{{"mode", "--mode", "block, background, cached_only", "block", "what to do while a kernel is not compiled"},
           [](Options& o, Name n, Text t) { o.mode = parse(kModes, n, t); },
           [](const Options& o) { return print(kModes, o.mode); }},
    Option{{"numerics", "--numerics", "fp32, eager", "fp32", "round 16-bit values when stored, or after every op"},
           [](Options& o, Name n, Text t) { o.numerics = parse(kNumerics, n, t); },
           [](const Options& o) { return print(kNumerics, o.numerics); }},
    Option{{"strict", "--strict", "true, false", "false", "errors of ours are thrown instead of falling back"},
           [](Options& o, Name n, Text t) { o.strict = parse(kBools, n, t); },
           [](const Options& o) { return print(kBools, o.strict); }},
};

const Option& find_option(std::string_view name) {
  std::string known;
  for (const Option& option : kOptions) {
    if (option.row.name == name) return option;
    known.append(known.empty() ? "" : ", ").append(option.row.name);
  }
  throw Error("options: '" + std::string(name) + "' is not an option, expected one of " + known);
}

}  // namespace

std::span<const OptionRow> option_rows() {
  static const auto kRows = [] {
    std::array<OptionRow, kOptions.size()> rows;
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = kOptions[i].row;
    return rows;
  }();
  return kRows;
}

Options options_from_strings(const std::map<std::string, std::string>& named) {
  Options options;
  for (const auto& [name, text] : named) {
    const Option& option = find_option(name);
    option.set(options, option.row.name, text);
  }
  return options;
}

std::map<std::string, std::string> strings_from_options(const Options& options) {
  std::map<std::string, std::string> named;
  for (const Option& option : kOptions) named.emplace(option.row.name, option.get(options));
  return named;
}

}  // namespace torchweld
