#include "codegen/cuda_kernel.h"

#include "codegen/text.h"

namespace torchweld::codegen {
namespace {

constexpr std::size_t kLineLength = 118;

std::string signature(std::string line, const Arguments& arguments) {
  std::string lines;
  for (const Arguments::Parameter& parameter : arguments.parameters()) {
    const bool is_pointer = parameter.type.back() == '*';
    const bool is_first = &parameter == &arguments.parameters().front();
    const std::string part = join(parameter.type, is_pointer ? " __restrict__ " : " ", parameter.name);
    if (!is_first) line += ',';
    if (line.size() + part.size() > kLineLength) {
      lines += line + '\n';
      line = "    " + part;
    } else {
      line += (is_first ? "" : " ") + part;
    }
  }
  return lines + line;
}

}  // namespace

Kernel kernel_from_body(const std::string& body, Arguments& arguments, const Tile& tile, std::string name,
                        std::string_view schedule) {
  constexpr std::string_view kEnds[] = {" exact", "", " ragged", " shifted"};
  Kernel kernel;
  kernel.name = std::move(name);
  const std::string per_row =
      tile.has_rows() && tile.threads_across() > 1 ? join(" P", tile.threads_per_row) : std::string();
  kernel.schedule = join(schedule, " V", tile.vector, " T", tile.threads, per_row, " K", tile.vectors_per_thread,
                         kEnds[static_cast<std::size_t>(tile.ends)], tile.wide ? " wide" : "");
  const std::string beginning =
      join("extern \"C\" __global__ void __launch_bounds__(", tile.threads, ") ", kernel.name, '(');
  kernel.text = join("// ", kernel.schedule, '\n', signature(beginning, arguments), ") {\n", body, "}\n");
  kernel.arguments = arguments.take();
  return kernel;
}

}  // namespace torchweld::codegen
