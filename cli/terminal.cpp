#include "cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace torchweld::cli {
namespace {

/// Often enough to look alive; the end of the work waits for one tick at most.
constexpr std::chrono::milliseconds kTick{50};
/// Work that is shorter needs no words.
constexpr std::chrono::milliseconds kPatience{400};

}  // namespace

bool colours_wanted() {
  const char* unwanted = std::getenv("NO_COLOR");
  return (unwanted == nullptr || *unwanted == '\0') && isatty(STDOUT_FILENO) == 1;
}

std::string paint(Colour colour, std::string_view text) {
  if (!colours_wanted()) return std::string(text);
  const int code = colour == Colour::red ? 31 : colour == Colour::green ? 32 : 1;
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

Progress::Progress(std::string doing, std::function<std::size_t()> count)
    : doing_(std::move(doing)), count_(std::move(count)) {
  if (isatty(STDERR_FILENO) == 1) thread_ = std::thread([this] { show(); });
}

Progress::~Progress() {
  done_ = true;
  if (thread_.joinable()) thread_.join();
}

void Progress::show() {
  const auto start = std::chrono::steady_clock::now();
  bool shown = false;
  for (; !done_; std::this_thread::sleep_for(kTick)) {
    const auto past = std::chrono::steady_clock::now() - start;
    if (past < kPatience) continue;
    fmt::print(stderr, "\r\033[K{}: {}, {} s", doing_, count_(),
               std::chrono::duration_cast<std::chrono::seconds>(past).count());
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "\r\033[K");
}

}  // namespace torchweld::cli
