#include "cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace torchweld::cli {

bool colours_wanted() { return std::getenv("NO_COLOR") == nullptr && isatty(STDOUT_FILENO) == 1; }

std::string paint(Colour colour, std::string_view text) {
  if (!colours_wanted()) return std::string(text);
  const int code = colour == Colour::red ? 31 : colour == Colour::green ? 32 : 1;
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

}  // namespace torchweld::cli
