#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// What the test process writes for the runner process: plain fields in a fixed order, one file.
namespace torchweld::emulation {

enum class Use : std::uint8_t { input, output, in_out, scratch };

/// Appends fields.
class Writer {
public:
  void number(std::uint64_t n) { raw(&n, sizeof n); }
  void bytes(const void* from, std::size_t size) {
    number(size);
    raw(from, size);
  }
  void text(std::string_view s) { bytes(s.data(), s.size()); }
  [[nodiscard]] const std::string& written() const { return out_; }

private:
  void raw(const void* from, std::size_t size) { out_.append(static_cast<const char*>(from), size); }
  std::string out_;
};

/// Reads them back in the same order; throws std::runtime_error past the end.
class Reader {
public:
  explicit Reader(std::string in) : in_(std::move(in)) {}
  std::uint64_t number() {
    std::uint64_t n;
    std::memcpy(&n, take(sizeof n), sizeof n);
    return n;
  }
  std::string text() {
    const auto size = static_cast<std::size_t>(number());
    const char* from = take(size);
    return {from, size};
  }

private:
  const char* take(std::size_t size) {
    if (size > in_.size() - at_) throw std::runtime_error("emulation: a request or answer is cut short");
    at_ += size;
    return in_.data() + (at_ - size);
  }
  std::string in_;
  std::size_t at_ = 0;
};

}  // namespace torchweld::emulation
