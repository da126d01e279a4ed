#pragma once

#include <string>

namespace torchweld::runtime {

/// A folder of our own for one call of a compiler. It goes away with the object, and so do the files in it.
class TemporaryFolder {
public:
  /// Throws CompileFailure when there is no place for one.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// The path of a file in it.
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

}  // namespace torchweld::runtime
