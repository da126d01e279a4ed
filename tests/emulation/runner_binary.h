#pragma once

#include <filesystem>

namespace torchweld::emulation {

/// The folder of the emulator's sources.
std::filesystem::path source_folder();

/// The program that runs compiled kernels (device/runner.cc), built when its sources have changed and kept in
/// ${XDG_CACHE_HOME:-~/.cache}/torchweld/emulation for the tests that follow.
const std::filesystem::path& runner_binary();

}  // namespace torchweld::emulation
