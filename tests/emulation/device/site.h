#pragma once

#include <array>
#include <string>

namespace emulation_device {

/// Where a thread is: the return addresses of its calls, innermost first, null after the last.
using Site = std::array<const void*, 8>;

/// The place that called the function which calls this.
[[gnu::noinline]] Site site_here();

/// "reduce.cuh:31 < softmax.cu:14", without the emulator's own frames.
std::string text_of(const Site&);

/// Whether both are one place in the text: equal addresses, or the same lines where the compiler copied code.
bool same_place(const Site&, const Site&);

}  // namespace emulation_device
