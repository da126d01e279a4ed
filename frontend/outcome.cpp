#include "torchweld/outcome.h"

#include "torchweld/error.h"

namespace torchweld {

std::string_view name_of(Boundary reason) {
  switch (reason) {
  case Boundary::unknown_op:
    return "unknown_op";
  case Boundary::unsupported_form:
    return "unsupported_form";
  case Boundary::writes_memory:
    return "writes_memory";
  case Boundary::reads_written:
    return "reads_written";
  case Boundary::aliases_output:
    return "aliases_output";
  case Boundary::moves_device:
    return "moves_device";
  case Boundary::control_flow:
    return "control_flow";
  case Boundary::random:
    return "random";
  case Boundary::side_effect:
    return "side_effect";
  case Boundary::too_small:
    return "too_small";
  }
  throw InternalError("a boundary without a name");
}

}  // namespace torchweld
