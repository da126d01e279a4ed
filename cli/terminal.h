#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace torchweld::cli {

enum class Colour { red, green, bold };

/// True when standard output is a terminal and NO_COLOR is unset or empty.
[[nodiscard]] bool colours_wanted();

/// `text` in a colour on a terminal, and as it is elsewhere.
[[nodiscard]] std::string paint(Colour colour, std::string_view text);

/// While it lives and standard error is a terminal, shows there what is being done and for how long; short work shows
/// nothing. The line is gone when the object is.
class Progress {
public:
  /// `count` is called from another thread: how much is done, for "compiling kernels: 12, 3 s".
  Progress(std::string doing, std::function<std::size_t()> count);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

private:
  void show();

  std::string doing_;
  std::function<std::size_t()> count_;
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

}  // namespace torchweld::cli
