#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "emulation/emulation.h"

namespace torchweld::emulation {

/// Tests that compile and run kernels; skipped with a reason where that cannot be done.
class EmulationTest : public testing::Test {
protected:
  void SetUp() override {
    if (const std::string reason = why_unavailable(); !reason.empty()) GTEST_SKIP() << reason;
  }

  /// The kernel of a text without a prelude, called k.cu in reports.
  static Kernel kernel(const std::string& text, Watch watch = Watch::memory) {
    const Source source{"k.cu", text};
    return compile({"prelude.cuh", ""}, {&source, 1}, watch).front();
  }

  /// Compiles and runs a text with the parameters (float* out, unsigned n): `out` has `elements` elements.
  static std::string report_of(const std::string& text, Launch launch, unsigned elements, Watch watch = Watch::memory) {
    Buffer out = output_of<float>(elements);
    const Argument arguments[] = {pointer_to(out), value_of(elements)};
    return run(kernel(text, watch), launch, arguments);
  }
};

}  // namespace torchweld::emulation
