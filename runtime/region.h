#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "torchweld/options.h"

namespace torchweld::runtime {

/// What a region is made of, and what a saved file holds of it. Weights are never in it: they are inputs.
struct RegionState {
  /// TorchScript IR text as parseIR reads it. Its inputs are, in order, the tensors of `written`, those of `inputs`
  /// (of type Tensor, or Tensor? where None may come) and the scalars (int, float or bool) that the call passes; all
  /// of its outputs are tensors.
  std::string text;
  /// Source lines of the nodes ("model.py:42:15"), each once.
  std::vector<std::string> lines;
  /// For each node of `text`, in order: an index into `lines`, or -1.
  std::vector<std::int64_t> node_lines;
  /// For each tensor of `inputs`: comes from a parameter or buffer of the module. A missing tail counts as false.
  std::vector<bool> weights;
  Options options;

  bool operator==(const RegionState&) const = default;
};

class RegionBody;
struct RegionCounters;

/// The TorchScript class `torchweld.Region`: the attribute that a call of torchweld::execute refers to. Immutable but
/// for its counters; pickles as a versioned state.
class Region final : public torch::CustomClassHolder {
public:
  explicit Region(RegionState state);
  ~Region() override;
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  [[nodiscard]] const RegionState& state() const { return state_; }
  /// What all regions of the same text share: the parsed graph and the function that runs it.
  [[nodiscard]] const RegionBody& body() const { return *body_; }
  [[nodiscard]] const std::shared_ptr<const RegionBody>& shared_body() const { return body_; }
  /// Tells regions apart whose plans differ: equal for equal text, numerics, target and cache.
  [[nodiscard]] std::int64_t plan_key() const { return plan_key_; }
  [[nodiscard]] RegionCounters& counters() const { return *counters_; }

private:
  RegionState state_;
  std::shared_ptr<const RegionBody> body_;
  std::int64_t plan_key_ = 0;
  std::unique_ptr<RegionCounters> counters_;
};

/// Makes a region. Throws Error when `state.text` is not TorchScript IR.
[[nodiscard]] c10::intrusive_ptr<Region> make_region(RegionState state);

/// Reads a region's text as a graph. frontend/ defines it, since TorchScript's graphs are its affair, and hands it over
/// once, before the first call: `const bool kHandedOver = (runtime::set_translator(&translate), true);`.
using Translator = graph::Graph (*)(const std::string& region_text);
void set_translator(Translator translator);

}  // namespace torchweld::runtime
