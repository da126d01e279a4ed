// Surroundings of a test: environment variables and folders that go away with it.
#pragma once

#include <dirent.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "torchweld/options.h"

namespace torchweld::runtime {

/// Sets a variable while it lives.
class Variable {
public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

private:
  const char* name_;
  std::optional<std::string> before_;
};

/// An empty folder while it lives.
class Folder {
public:
  Folder() {
    if (mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~Folder() {
    for (const auto& file : files()) unlink(file.c_str());
    rmdir(path_.c_str());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Default options, with this folder for the disk cache: their plans are no other test's.
  [[nodiscard]] Options options() const {
    Options options;
    options.cache_dir = path_;
    return options;
  }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> found;
    DIR* folder = opendir(path_.c_str());
    while (const auto* entry = folder != nullptr ? readdir(folder) : nullptr)
      if (entry->d_name[0] != '.') found.push_back(path_ + "/" + entry->d_name);
    if (folder != nullptr) closedir(folder);
    return found;
  }

private:
  std::string path_ = "/tmp/torchweld-test-XXXXXX";
};

}  // namespace torchweld::runtime
