#pragma once

#include <string>
#include <string_view>

namespace torchweld::cli {

enum class Colour { red, green, bold };

/// True when standard output is a terminal and NO_COLOR is not set.
[[nodiscard]] bool colours_wanted();

/// `text` in a colour on a terminal, and as it is elsewhere.
[[nodiscard]] std::string paint(Colour colour, std::string_view text);

}  // namespace torchweld::cli
