#include "frontend/names.h"

#include <torch/csrc/jit/frontend/source_range.h>
#include <torch/csrc/jit/ir/ir.h>

#include <optional>

namespace torchweld::frontend {
namespace {

std::string without_folders(const std::string& path) {
  const auto slash = path.find_last_of("/\\");
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// A traced node holds Python's stack as text, innermost call first: `/path/model.py(42): forward`.
std::string traced_line(const std::string& stack) {
  const auto open = stack.find('(');
  const auto close = stack.find("):", open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return {};
  const std::string number = stack.substr(open + 1, close - open - 1);
  if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) return {};
  return without_folders(stack.substr(0, open)) + ":" + number;
}

/// A loaded file's nodes point at its generated code; the code knows what it was generated from.
torch::jit::SourceRange original_range(torch::jit::SourceRange range) {
  if (const auto& source = range.source())
    if (auto original = source->findSourceRangeThatGenerated(range)) return *original;
  return range;
}

}  // namespace

std::string op_name(const torch::jit::Node& node) {
  if (const auto* schema = node.maybeSchema())
    return schema->overload_name().empty() ? schema->name() : schema->name() + "." + schema->overload_name();
  return node.kind().toQualString();
}

std::string source_line(const torch::jit::Node& node) {
  const auto range = original_range(node.sourceRange());
  if (!range.source()) return {};
  if (const auto place = range.file_line_col()) {
    const auto& [file, line, column] = *place;
    return without_folders(file) + ":" + std::to_string(line) + ":" + std::to_string(column);
  }
  return traced_line(range.text().str());
}

}  // namespace torchweld::frontend
