#include "fault.h"

#include <unistd.h>

#include <cstdio>

#include "grid.h"

namespace emulation_device {

void fault(const std::string& what, const std::string& place) {
  std::fprintf(stderr, "emulation: %s\n", what.c_str());
  if (!place.empty()) std::fprintf(stderr, "  at %s\n", place.c_str());
  if (running_grid() != nullptr) std::fprintf(stderr, "  %s\n", grid().describe_current().c_str());
  std::fflush(stderr);
  _exit(kFaultStatus);
}

}  // namespace emulation_device
