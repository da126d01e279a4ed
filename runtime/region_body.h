#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"

namespace torch::jit {
struct Function;
}

namespace torchweld::runtime {

/// What the region's text takes at one input. A call passes ints, floats and bools as scalars, a bool as an int.
enum class InputKind : std::uint8_t { tensor, integer, floating, boolean };

/// A region's text as planning sees it.
struct TranslatedRegion {
  graph::Graph graph;
  std::vector<bool> needed;  ///< for each input: a number whose value planning needs
  std::string failure;       ///< why there is no graph; empty when there is
};

/// What all regions of one text share in this process.
class RegionBody {
public:
  /// Throws Error when `text` is no TorchScript IR, or its inputs and outputs are not a region's.
  explicit RegionBody(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Tensors first, then scalars.
  [[nodiscard]] const std::vector<InputKind>& inputs() const { return inputs_; }
  [[nodiscard]] std::size_t num_tensors() const { return num_tensors_; }
  [[nodiscard]] std::size_t num_outputs() const { return num_outputs_; }

  /// Translated at the first call.
  [[nodiscard]] const TranslatedRegion& translated() const;

  /// Runs the original nodes, without PyTorch's own fuser: takes the tensors and scalars of one call in the order of
  /// inputs(), and gives their results. Raises what eager raises.
  [[nodiscard]] c10::List<at::Tensor> run_original(torch::jit::Stack arguments) const;

private:
  std::string text_;
  std::vector<InputKind> inputs_;
  std::size_t num_tensors_ = 0;
  std::size_t num_outputs_ = 0;
  std::shared_ptr<torch::jit::Function> original_;
  mutable std::once_flag translate_once_;
  mutable TranslatedRegion translated_;
};

/// The bodies of this process by text, each parsed once while a region or a plan uses it.
class RegionBodies {
public:
  [[nodiscard]] std::shared_ptr<const RegionBody> body_of(const std::string& text);

private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<const RegionBody>> by_text_;
};

}  // namespace torchweld::runtime
