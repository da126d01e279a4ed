#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <map>
#include <string>

#include "cli/model_call.h"

namespace torchweld::cli {

/// Adds what every command that runs a model takes: the model, its inputs, and the options of the optimizer by name.
void add_call_options(CLI::App& command, CallOptions& call, std::map<std::string, std::string>& optimize);

/// Accepts these values and no others.
[[nodiscard]] CLI::Validator one_of(std::initializer_list<const char*> values);

/// Accepts whole numbers from 1 on.
[[nodiscard]] CLI::Validator at_least_one();

}  // namespace torchweld::cli
