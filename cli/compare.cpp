#include "cli/compare.h"

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>
#include <fmt/format.h>

#include <limits>

#include "report/describe.h"

namespace torchweld::cli {
namespace {

using report::describe;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The largest difference over the largest magnitude. Equal infinities and NaN in the same place are no difference.
double relative_error(const at::Tensor& ours, const at::Tensor& theirs) {
  if (ours.numel() == 0) return 0;
  const at::Tensor a = ours.detach().cpu().to(at::kDouble);
  const at::Tensor b = theirs.detach().cpu().to(at::kDouble);
  const at::Tensor same = a.eq(b).logical_or(a.isnan().logical_and(b.isnan()));
  const at::Tensor difference = a.sub(b).abs().masked_fill(same, 0.0);
  const double largest = difference.max().item<double>();
  if (largest == 0) return 0;
  const double magnitude = b.abs().masked_fill(b.isfinite().logical_not(), 0.0).max().item<double>();
  const double error = largest / magnitude;
  return error == error ? error : kInfinite;
}

class Comparer {
public:
  explicit Comparer(std::optional<double> tolerance) : tolerance_(tolerance) {}

  void visit(const std::string& name, const c10::IValue& ours, const c10::IValue& theirs) {
    if (ours.isTensor() && theirs.isTensor()) return tensors(name, ours.toTensor(), theirs.toTensor());
    if (ours.isTuple() && theirs.isTuple())
      return lists(name, ours.toTupleRef().elements().vec(), theirs.toTupleRef().elements().vec());
    if (ours.isList() && theirs.isList()) return lists(name, ours.toListRef().vec(), theirs.toListRef().vec());
    if (ours.isGenericDict() && theirs.isGenericDict())
      return dicts(name, ours.toGenericDict(), theirs.toGenericDict());
    Comparison leaf{.name = name, .type = describe(theirs), .problem = {}};
    if (ours != theirs) leaf.problem = fmt::format("is {}, expected {}", describe(ours), describe(theirs));
    found.push_back(std::move(leaf));
  }

  std::vector<Comparison> found;

private:
  void tensors(const std::string& name, const at::Tensor& ours, const at::Tensor& theirs) {
    Comparison leaf{.name = name, .type = describe(theirs), .problem = {}};
    if (!ours.defined() || !theirs.defined() || ours.scalar_type() != theirs.scalar_type() ||
        ours.sizes() != theirs.sizes()) {
      leaf.problem = fmt::format("is {}, expected {}", describe(ours), describe(theirs));
    } else {
      const bool floating = at::isFloatingType(theirs.scalar_type());
      leaf.allowed = floating && tolerance_ ? *tolerance_ : default_tolerance(theirs.scalar_type());
      leaf.error = relative_error(ours, theirs);
    }
    found.push_back(std::move(leaf));
  }

  void lists(const std::string& name, const std::vector<c10::IValue>& ours, const std::vector<c10::IValue>& theirs) {
    if (ours.size() != theirs.size())
      return found.push_back({.name = name,
                              .type = "sequence",
                              .problem = fmt::format("has {} elements, expected {}", ours.size(), theirs.size())});
    for (std::size_t i = 0; i < ours.size(); ++i) visit(fmt::format("{}.{}", name, i), ours[i], theirs[i]);
  }

  void dicts(const std::string& name, const c10::impl::GenericDict& ours, const c10::impl::GenericDict& theirs) {
    if (ours.size() != theirs.size())
      return found.push_back({.name = name,
                              .type = "dict",
                              .problem = fmt::format("has {} entries, expected {}", ours.size(), theirs.size())});
    for (const auto& entry : theirs) {
      const std::string inner =
          fmt::format("{}[{}]", name, entry.key().isString() ? entry.key().toStringRef() : describe(entry.key()));
      if (!ours.contains(entry.key()))
        found.push_back({.name = inner, .type = describe(entry.value()), .problem = "is missing"});
      else
        visit(inner, ours.at(entry.key()), entry.value());
    }
  }

  std::optional<double> tolerance_;
};

}  // namespace

double default_tolerance(c10::ScalarType dtype) {
  if (dtype == c10::ScalarType::Half || dtype == c10::ScalarType::BFloat16) return 2e-2;
  if (dtype == c10::ScalarType::Double) return 1e-7;
  return at::isFloatingType(dtype) ? 1e-4 : 0;
}

std::vector<Comparison> compare(const c10::IValue& ours, const c10::IValue& theirs, std::optional<double> tolerance) {
  Comparer comparer(tolerance);
  if (theirs.isTuple() && ours.isTuple()) {
    const auto a = ours.toTupleRef().elements().vec();
    const auto b = theirs.toTupleRef().elements().vec();
    for (std::size_t i = 0; i < a.size() && a.size() == b.size(); ++i)
      comparer.visit(fmt::format("output {}", i), a[i], b[i]);
    if (a.size() == b.size()) return comparer.found;
  }
  comparer.visit("output 0", ours, theirs);
  return comparer.found;
}

}  // namespace torchweld::cli
