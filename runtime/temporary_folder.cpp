#include "runtime/temporary_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "runtime/compiled_kernel.h"
#include "runtime/files.h"

namespace torchweld::runtime {

TemporaryFolder::TemporaryFolder() : path_(temporary_folder() + "/torchweld-XXXXXX") {
  if (mkdtemp(path_.data()) == nullptr)
    throw CompileFailure(FallbackReason::compile_failed,
                         fmt::format("no temporary folder {}: {}", path_, std::strerror(errno)));
}

TemporaryFolder::~TemporaryFolder() {
  for (const auto& name : names_in_folder(path_)) unlink(file(name).c_str());
  rmdir(path_.c_str());
}

}  // namespace torchweld::runtime
