#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "torchweld/outcome.h"

/// What was fused, what was not and why, and the bytes that each choice moves. Plain values: collect.h fills them from
/// what partitioning and planning recorded; text.cpp, json.cpp and dot.cpp print them.
namespace torchweld::report {

/// What the kernel compiler says; known for CUDA kernels.
struct Resources {
  int registers = 0;
  int shared_bytes = 0;
  int spilled_bytes = 0;
};

struct Kernel {
  std::string name;
  std::string schedule;
  std::string inputs;   ///< "f32[4,512] f32[512]"
  std::string outputs;  ///< the same for what it writes
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::int64_t bytes_eager = 0;  ///< what its primitives move when each runs alone
  std::optional<Resources> resources;
};

/// A value in memory between two kernels, or read by several, and why they are not one.
struct Edge {
  std::string value;  ///< "%3 f32[4,512]"
  std::string from;   ///< kernel; "input" for an input of the region
  std::string to;
  std::string reason;
  std::string details;
  std::int64_t bytes = 0;
};

/// The kernels of a region for one signature.
struct Plan {
  std::string signature;
  std::int64_t calls = 0;  ///< by all regions of the same text: they share their plans
  std::vector<Kernel> kernels;
  std::vector<Edge> edges;
  std::int64_t bytes_eager = 0;  ///< what the region's nodes move when each runs alone
  std::int64_t bytes_planned = 0;
  std::int64_t bytes_ideal = 0;  ///< inputs once and outputs once
};

/// Calls that ran the original nodes.
struct Fallback {
  std::string reason;
  std::string details;
  std::int64_t count = 0;
};

struct Region {
  std::string name;                ///< the module attribute that holds it
  std::vector<std::string> ops;    ///< of each tensor node, in order
  std::vector<std::string> lines;  ///< "model.py:42:15" of each tensor node, where known
  int kernels_before = 0;          ///< nodes that launch a kernel when they run alone: all but views
  std::int64_t fused_calls = 0;
  std::vector<Plan> plans;
  std::vector<Fallback> fallbacks;
};

struct Method {
  std::string name;
  std::vector<Region> regions;
  std::vector<MethodOutcome::Outside> outside;
  int fusable_outside = 0;  ///< nodes outside that launch kernels and whose op has a row in the op table
};

struct Report {
  std::string model;
  std::string inputs;   ///< of the call that was reported
  std::string target;   ///< "cpu" or the GPU's name
  std::string refusal;  ///< why the module was returned as it was; empty when it was optimized
  std::vector<Method> methods;
};

/// Sums over every method and region. Of a region with several plans the mean of a call counts: equal regions share
/// plans, so those of one call of the module count exactly once each.
struct Totals {
  int regions = 0;
  int ops_fused = 0;
  int ops_fusable = 0;  ///< fused, and those outside that could have been
  int kernels_before = 0;
  int kernels_after = 0;
  std::int64_t bytes_before = 0;
  std::int64_t bytes_after = 0;
  std::int64_t bytes_ideal = 0;
  std::int64_t fused_calls = 0;
  std::int64_t fallback_calls = 0;
};
[[nodiscard]] Totals totals_of(const Report& report);

/// For people: at most `columns` wide, colours (terminal escapes) only when asked for.
struct Style {
  int columns = 80;
  bool colour = false;
};
[[nodiscard]] std::string text_of(const Report& report, const Style& style = {});

/// For programs: one JSON object. Its `version` grows when a field changes its meaning or goes away.
inline constexpr int kJsonVersion = 1;
[[nodiscard]] std::string json_of(const Report& report);

/// For Graphviz: one digraph of the kernels of each region and the values that pass between them through memory. Plans
/// of equal regions are drawn once.
[[nodiscard]] std::string dot_of(const Report& report);

/// The earliest region of `method` with the same plans as `region`, which are told once; null when it is the first.
[[nodiscard]] const Region* same_region(const Method& method, const Region& region);

/// "1.50 MiB"; three digits that count.
[[nodiscard]] std::string bytes_text(std::int64_t bytes);

}  // namespace torchweld::report
