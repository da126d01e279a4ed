#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace torchweld {

/// Why a node stays outside every region.
enum class Boundary : std::uint8_t {
  unknown_op,        ///< no row in the op table
  unsupported_form,  ///< the op is known, this use of it is not (an argument that is no constant, a list of numbers,
                     ///< ...)
  writes_memory,     ///< writes an argument in place
  reads_written,     ///< touches memory that something writes
  aliases_output,    ///< returns a view that is used outside its region
  moves_device,      ///< only moves an input to a device that is known when it runs
  control_flow,      ///< if, loop, call, fork
  random,            ///< draws random numbers
  side_effect,       ///< prints, raises, sets an attribute
  too_small,         ///< its region would have fewer than min_region_nodes nodes
};
[[nodiscard]] std::string_view name_of(Boundary reason);

/// What optimize did to one method.
struct MethodOutcome {
  struct Region {
    std::string attribute;           ///< the module attribute that holds it
    int nodes = 0;                   ///< tensor nodes; scalar and list nodes copied in are not counted
    std::vector<std::string> ops;    ///< qualified name and overload of each tensor node, in order
    std::vector<std::string> lines;  ///< "model.py:42:15" of each tensor node; empty when unknown
  };
  struct Outside {
    std::string op;
    std::string line;
    Boundary reason = Boundary::unknown_op;
    int count = 1;  ///< nodes with this op, line and reason
  };
  std::vector<Region> regions;
  std::vector<Outside> outside;
};

/// What optimize did to a module, for reports.
struct Outcome {
  std::string refusal;                           ///< why the module was returned as it was; empty when it was optimized
  std::map<std::string, MethodOutcome> methods;  ///< by name; methods of submodules by qualified name
};

}  // namespace torchweld
