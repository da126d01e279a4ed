#include <algorithm>
#include <future>
#include <regex>
#include <stdexcept>
#include <thread>

#include "emulation/emulation.h"
#include "emulation/process.h"
#include "emulation/runner_binary.h"

namespace torchweld::emulation {
namespace {

// A compiler call takes 0.1 s and up to 0.3 s for each kernel; more of them in one would leave other cores idle.
constexpr std::size_t kKernelsPerUnit = 16;

std::string line_directive(const Source& source) { return "\n#line 1 \"" + source.name + "\"\n" + source.text; }

// extern "C" functions of one name would be one function, in whatever namespaces they are.
std::string without_extern_c(const std::string& text) {
  static const std::regex kExternC(R"re(extern\s+"C"\s+__global__)re");
  return std::regex_replace(text, kExternC, "__global__");
}

std::vector<std::string> kernel_names(const Source& source) {
  static const std::regex kFunction(R"(__global__\s+void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\()");
  std::vector<std::string> names;
  for (std::sregex_iterator at(source.text.begin(), source.text.end(), kFunction), end; at != end; ++at)
    names.push_back((*at)[1]);
  if (names.empty()) throw std::runtime_error(source.name + ": no __global__ function");
  return names;
}

std::string entry_name(std::size_t source, const std::string& function) {
  return std::to_string(source) + "/" + function;
}

// Prelude at the scope of target_emulated.h, whose names it overloads; kernels in namespaces of their own; and the
// table that the runner looks them up in.
std::string unit_text(const Source& prelude, std::span<const Source> kernels) {
  std::string text = "#include \"" + (source_folder() / "target_emulated.h").string() + "\"\n";
  text += line_directive(prelude);
  std::string table;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::string space = "emulated_source_" + std::to_string(i);
    text +=
        "\nnamespace " + space + " {" + line_directive({kernels[i].name, without_extern_c(kernels[i].text)}) + "\n}\n";
    for (const std::string& name : kernel_names(kernels[i]))
      table.append("  EmulatedKernel<&")
          .append(space)
          .append("::")
          .append(name)
          .append(">::entry(\"")
          .append(entry_name(i, name))
          .append("\"),\n");
  }
  text += "\n#line 1 \"entries\"\nextern \"C\" [[gnu::visibility(\"default\")]] ";
  text += "const emulation_device::KernelEntry emulation_kernels[] = {\n" + table;
  return text + "  {nullptr, nullptr, nullptr, 0}};\n";
}

void must_compile(const std::vector<std::string>& command) {
  const Outcome outcome = run_process(command);
  if (outcome.status != 0) throw std::runtime_error("kernel text does not compile:\n" + outcome.output);
}

std::vector<std::string> compiler(Watch watch) {
  std::vector<std::string> command{TORCHWELD_CXX,
                                   "-std=c++17",
                                   "-O1",
                                   "-g",
                                   "-w",
                                   "-fvisibility=hidden",
                                   "-fPIC",
                                   "-fno-omit-frame-pointer",
                                   "-fno-strict-aliasing",
                                   "-fstack-clash-protection",
                                   "-ffp-contract=off"};
  // ThreadSanitizer's library must not be linked: the runner has the functions that its instrumentation calls.
  if (watch == Watch::races)
    command.insert(command.end(), {"-fsanitize=thread", "-fno-threadsafe-statics", "-DEMULATION_WATCH_RACES", "-c"});
  else
    command.insert(command.end(), {"-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-shared"});
  return command;
}

std::shared_ptr<const std::string> library_at(const std::filesystem::path& path) {
  return {new std::string(path.string()), [](const std::string* file) {
            std::filesystem::remove(*file);
            delete file;
          }};
}

std::vector<Kernel> compile_unit(const Source& prelude, std::span<const Source> kernels, Watch watch) {
  const auto text = scratch_file(".cpp"), library = scratch_file(".so"), object = scratch_file(".o");
  write_file(text, unit_text(prelude, kernels));
  std::vector<std::string> command = compiler(watch);
  command.insert(command.end(), {text.string(), "-o", (watch == Watch::races ? object : library).string()});
  must_compile(command);
  if (watch == Watch::races) must_compile({TORCHWELD_CXX, "-shared", object.string(), "-o", library.string()});
  std::filesystem::remove(text);
  std::filesystem::remove(object);
  const auto shared = library_at(library);
  std::vector<Kernel> compiled;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    for (const std::string& name : kernel_names(kernels[i])) compiled.push_back({shared, entry_name(i, name), watch});
  return compiled;
}

}  // namespace

Source prelude_without_target(std::string_view prelude, std::string_view target) {
  const auto at = prelude.find(target);
  if (at == std::string_view::npos) throw std::invalid_argument("the prelude does not hold target.cuh");
  std::string text(prelude.substr(0, at));
  text.append(static_cast<std::size_t>(std::count(target.begin(), target.end(), '\n')), '\n');
  text += prelude.substr(at + target.size());
  return {"prelude.cuh", text};
}

std::vector<Kernel> compile(const Source& prelude, std::span<const Source> kernels, Watch watch) {
  scratch_folder();
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::future<std::vector<Kernel>>> units;
  std::vector<Kernel> compiled;
  const auto collect = [&](std::size_t unit) {
    for (Kernel& kernel : units[unit].get()) compiled.push_back(std::move(kernel));
  };
  std::size_t collected = 0;
  for (std::size_t first = 0; first < kernels.size(); first += kKernelsPerUnit) {
    if (units.size() - collected == workers) collect(collected++);
    const auto part = kernels.subspan(first, std::min(kKernelsPerUnit, kernels.size() - first));
    units.push_back(
        std::async(std::launch::async, [&prelude, part, watch] { return compile_unit(prelude, part, watch); }));
  }
  while (collected < units.size()) collect(collected++);
  return compiled;
}

}  // namespace torchweld::emulation
