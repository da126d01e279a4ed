#pragma once

#include <string>

namespace emulation_device {

/// Exit status of a run that ended in a fault of the kernel or of its launch.
constexpr int kFaultStatus = 3;

/// Prints what is wrong, where (`place` may be empty) and which thread was running, and ends the process.
[[noreturn]] void fault(const std::string& what, const std::string& place);

}  // namespace emulation_device
