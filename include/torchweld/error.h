#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace torchweld {

/// The caller's fault. The message reads `place: op: what is wrong, what was found, what was expected`.
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Our fault: an invariant does not hold. A call still falls back unless `strict` is set.
class InternalError : public std::logic_error {
public:
  using std::logic_error::logic_error;
};

/// Throws InternalError with `claim` unless `holds`.
inline void ensure(bool holds, std::string_view claim) {
  if (!holds) throw InternalError(std::string("does not hold: ").append(claim));
}

}  // namespace torchweld
