#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/report.h"

namespace torchweld::report {
namespace {

/// Writes lines of a limited width; text that does not fit goes on below, indented.
class Writer {
public:
  explicit Writer(const Style& style) : style_(style) {}

  template <class... Arguments>
  void line(int indent, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    wrap(indent, fmt::format(format, std::forward<Arguments>(arguments)...));
  }
  void blank() { text_ += '\n'; }
  void heading(int indent, const std::string& title) {
    if (!style_.colour) return wrap(indent, title);
    text_ += fmt::format("{:{}}\033[1m{}\033[0m\n", "", indent, title);
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

private:
  void wrap(int indent, std::string rest) {
    int margin = indent;
    while (true) {
      const auto width = static_cast<std::size_t>(std::max(style_.columns - margin, 20));
      const std::size_t cut = cut_of(rest, width);
      const std::size_t end = rest.find_last_not_of(' ', cut - 1) + 1;  // no spaces at the end of a line
      text_ += fmt::format("{:{}}{}\n", "", margin, rest.substr(0, end));
      rest.erase(0, std::min(rest.find_first_not_of(' ', cut), rest.size()));
      if (rest.empty()) return;
      margin = indent + 4;
    }
  }
  /// Where to break: before the last space that fits, else within a word.
  static std::size_t cut_of(const std::string& text, std::size_t width) {
    if (text.size() <= width) return text.size();
    const std::size_t space = text.rfind(' ', width);
    const std::size_t word = space == std::string::npos ? space : text.find_last_not_of(' ', space);
    return word == std::string::npos ? width : word + 1;
  }

  Style style_;
  std::string text_;
};

void write_head(Writer& out, const Report& report) {
  const Totals totals = totals_of(report);
  out.heading(0, report.model);
  out.line(2, "inputs   {}", report.inputs.empty() ? "none" : report.inputs);
  out.line(2, "target   {}", report.target);
  if (!report.refusal.empty()) out.line(2, "refused  {}", report.refusal);
  out.line(2, "regions  {}, with {} of the {} ops that could be fused", totals.regions, totals.ops_fused,
           totals.ops_fusable);
  out.line(2, "kernels  {} before, {} after", totals.kernels_before, totals.kernels_after);
  out.line(2, "bytes    {} before, {} after, {} at best", bytes_text(totals.bytes_before),
           bytes_text(totals.bytes_after), bytes_text(totals.bytes_ideal));
  out.line(2, "calls    {} fused, {} fell back", totals.fused_calls, totals.fallback_calls);
}

void write_kernel(Writer& out, const Kernel& kernel) {
  out.line(4, "{}", kernel.name);
  out.line(8, "{}; {} -> {}", kernel.schedule, kernel.inputs.empty() ? "()" : kernel.inputs, kernel.outputs);
  out.line(8, "reads {}, writes {}; its primitives one by one move {}", bytes_text(kernel.bytes_read),
           bytes_text(kernel.bytes_written), bytes_text(kernel.bytes_eager));
  if (kernel.resources)
    out.line(8, "{} registers, {} bytes of shared memory, {} bytes spilled", kernel.resources->registers,
             kernel.resources->shared_bytes, kernel.resources->spilled_bytes);
}

void write_edge(Writer& out, const Edge& edge) {
  out.line(4, "{} from {} to {}: {}", edge.value, edge.from, edge.to, bytes_text(edge.bytes));
  out.line(8, "{}{}{}", edge.reason, edge.details.empty() ? "" : ": ", edge.details);
}

void write_plan(Writer& out, const Plan& plan) {
  out.line(2, "for {}: {} before, {} after, {} at best", plan.signature, bytes_text(plan.bytes_eager),
           bytes_text(plan.bytes_planned), bytes_text(plan.bytes_ideal));
  for (const Kernel& kernel : plan.kernels) write_kernel(out, kernel);
  if (!plan.edges.empty()) out.line(2, "values in memory between kernels");
  for (const Edge& edge : plan.edges) write_edge(out, edge);
}

/// "aten::mul.Tensor x2, aten::relu": equal neighbours once, in order of first use.
std::string list_ops(const std::vector<std::string>& ops) {
  std::vector<std::pair<std::string, int>> counts;
  for (const std::string& op : ops) {
    const auto same = std::find_if(counts.begin(), counts.end(), [&](const auto& entry) { return entry.first == op; });
    if (same == counts.end())
      counts.emplace_back(op, 1);
    else
      same->second += 1;
  }
  std::string text;
  for (const auto& [op, count] : counts) {
    if (!text.empty()) text += ", ";
    text += op;
    if (count > 1) text += fmt::format(" x{}", count);
  }
  return text;
}

void write_region(Writer& out, const Method& method, const Region& region) {
  out.blank();
  out.heading(0, fmt::format("region {}", region.name));
  out.line(2, "{} ops: {}", region.ops.size(), list_ops(region.ops));
  if (const Region* earlier = same_region(method, region))
    out.line(2, "kernels as in region {}", earlier->name);
  else
    for (const Plan& plan : region.plans) write_plan(out, plan);
  if (region.plans.empty() && region.fallbacks.empty()) out.line(2, "not called yet");
  for (const Fallback& fallback : region.fallbacks)
    out.line(2, "fell back {} time{}: {}{}{}", fallback.count, fallback.count == 1 ? "" : "s", fallback.reason,
             fallback.details.empty() ? "" : ": ", fallback.details);
}

void write_outside(Writer& out, const Method& method) {
  if (method.outside.empty()) return;
  out.blank();
  out.heading(0, fmt::format("outside every region of {}", method.name));
  for (const MethodOutcome::Outside& node : method.outside)
    out.line(2, "{:>4} x {:<30} {:<16} {}", node.count, node.op, name_of(node.reason), node.line);
}

}  // namespace

const Region* same_region(const Method& method, const Region& region) {
  for (const Region& earlier : method.regions) {
    if (&earlier == &region || region.plans.empty()) return nullptr;
    const auto same_signature = [](const Plan& a, const Plan& b) { return a.signature == b.signature; };
    if (earlier.ops == region.ops && std::equal(earlier.plans.begin(), earlier.plans.end(), region.plans.begin(),
                                                region.plans.end(), same_signature))
      return &earlier;
  }
  return nullptr;
}

std::string text_of(const Report& report, const Style& style) {
  Writer out(style);
  write_head(out, report);
  for (const Method& method : report.methods) {
    for (const Region& region : method.regions) write_region(out, method, region);
    write_outside(out, method);
  }
  return out.take();
}

}  // namespace torchweld::report
