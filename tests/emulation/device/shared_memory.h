#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "races.h"

namespace emulation_device {

/// The shared variables of one block: exact-size heap blocks, so AddressSanitizer sees an access past the end.
/// Their first content is garbage chosen by the seed.
class SharedMemory {
public:
  struct Variable {
    std::byte* address = nullptr;
    std::size_t bytes = 0, alignment = 0;
    std::unique_ptr<Shadow> shadow;
  };
  /// Where an address lies within a shared variable.
  struct Place {
    int site = -1;
    std::size_t offset = 0;
  };

  SharedMemory() = default;
  SharedMemory(SharedMemory&&) noexcept;
  SharedMemory& operator=(SharedMemory&&) = delete;
  ~SharedMemory();

  Variable& variable(int site, std::size_t bytes, std::size_t alignment, unsigned seed);
  /// site is -1 for an address outside all variables.
  [[nodiscard]] Place find(const void* address) const;
  Variable& at(int site) { return variables_[static_cast<std::size_t>(site)]; }

private:
  std::vector<Variable> variables_;  ///< by site
};

/// The byte that uninitialised memory is filled with: NaN, a large finite number, a large negative one as a float.
unsigned char garbage_byte(unsigned seed);

}  // namespace emulation_device
