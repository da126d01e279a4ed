#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulation/wire.h"

/// Runs printed CUDA kernel text on the CPU under address and undefined-behaviour sanitizers.
namespace torchweld::emulation {

/// Why kernels cannot be emulated here (not x86-64, sources or compiler not at hand); empty if they can.
std::string why_unavailable();

/// A piece of text and the name that reports give it, such as "softmax.cu".
struct Source {
  std::string name, text;
};

enum class Watch : std::uint8_t {
  memory,  ///< bounds, alignment, undefined behaviour
  races,   ///< accesses to shared memory with no barrier between, and reads of what nobody wrote
};

/// A prelude without the text `target` of target.cuh in it, whose place target_emulated.h takes; lines keep their
/// numbers. Throws std::invalid_argument if it is not in there.
Source prelude_without_target(std::string_view prelude, std::string_view target);

/// A compiled kernel function. Its library file lives as long as a Kernel of it.
struct Kernel {
  std::shared_ptr<const std::string> library;
  std::string entry;  ///< index of its source, '/', name of the function
  Watch watch = Watch::memory;
};

/// Compiles kernel texts with a prelude that lacks target.cuh, many in a compiler call. Returns every `__global__`
/// function, in the order of the texts. Throws std::runtime_error with the compiler's message.
std::vector<Kernel> compile(const Source& prelude, std::span<const Source> kernels, Watch watch = Watch::memory);

/// Memory of one tensor: a heap block of exactly this size, on a 256-byte boundary plus `misalignment` bytes.
/// Use::input must not change. Use::output and Use::scratch start as garbage that depends on the seed. Use::in_out
/// starts as given. What an output or in_out holds afterwards must be the same under every seed.
struct Buffer {
  Use use = Use::input;
  std::vector<std::byte> bytes;
  std::size_t misalignment = 0;

  template <class T>
  [[nodiscard]] std::vector<T> as() const {
    std::vector<T> out(bytes.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
    return out;
  }
};

template <class T>
Buffer buffer_of(const std::vector<T>& values, Use use = Use::input, std::size_t misalignment = 0) {
  const auto bytes = std::as_bytes(std::span(values));
  return {use, {bytes.begin(), bytes.end()}, misalignment};
}
template <class T>
Buffer output_of(std::size_t elements, std::size_t misalignment = 0) {
  return {Use::output, std::vector<std::byte>(elements * sizeof(T)), misalignment};
}

/// One argument of a launch: its bytes, and the places in them that hold addresses.
struct Argument {
  struct Pointer {
    std::size_t at;
    Buffer* buffer;
    std::ptrdiff_t offset;  ///< bytes from the start of the buffer
  };
  std::vector<std::byte> bytes;
  std::vector<Pointer> pointers;
};

inline Argument pointer_to(Buffer& buffer, std::ptrdiff_t offset = 0) {
  return {std::vector<std::byte>(sizeof(void*)), {{0, &buffer, offset}}};
}
template <class T>
Argument value_of(const T& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  return {{bytes.begin(), bytes.end()}, {}};
}

struct Launch {
  unsigned grid = 1, block = 1, cluster = 1, dynamic_shared = 0;
};

/// Orders of threads: 0 ascending, 1 descending, then random ones, odd ones warp by warp; and the garbage in memory.
struct Seeds {
  unsigned first = 0, count = 8;
};

/// Runs the kernel once per seed, all in one child process, and leaves the results in the arguments' buffers. Returns
/// the first report of a sanitizer or of the emulator, naming the line; empty when there is none. `limit` is for all
/// seeds together.
std::string run(const Kernel& kernel, Launch launch, std::span<const Argument> arguments, Seeds seeds = {},
                std::chrono::seconds limit = std::chrono::seconds(120));

}  // namespace torchweld::emulation
