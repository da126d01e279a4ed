#include "runtime/region_state.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "torchweld/error.h"

namespace torchweld::runtime {
namespace {

constexpr std::size_t kNumFields = 7;

[[noreturn]] void refuse_field(std::string_view field) {
  throw Error(
      fmt::format("region state: field '{}' is malformed, expected the form of version {}", field, kStateVersion));
}

// A file read back tells lists by their elements only, so each element is checked.
template <class T, class Read>
std::vector<T> list_of(const c10::IValue& saved, std::string_view field, Read read) {
  if (!saved.isList()) refuse_field(field);
  std::vector<T> result;
  for (const c10::IValue& element : saved.toListRef()) {
    if (std::is_same_v<T, std::string> ? !element.isString() : !element.isInt()) refuse_field(field);
    result.push_back(read(element));
  }
  return result;
}
std::vector<std::string> strings_of(const c10::IValue& saved, std::string_view field) {
  return list_of<std::string>(saved, field, [](const c10::IValue& element) { return element.toStringRef(); });
}
std::vector<std::int64_t> ints_of(const c10::IValue& saved, std::string_view field) {
  return list_of<std::int64_t>(saved, field, [](const c10::IValue& element) { return element.toInt(); });
}

Options options_of(const c10::IValue& saved) {
  if (!saved.isGenericDict()) refuse_field("options");
  std::map<std::string, std::string> named;
  for (const auto& entry : saved.toGenericDict()) {
    if (!entry.key().isString() || !entry.value().isString()) refuse_field("options");
    named.emplace(entry.key().toStringRef(), entry.value().toStringRef());
  }
  return options_from_strings(named);
}

}  // namespace

c10::IValue saved_from_state(const RegionState& state) {
  c10::Dict<std::string, std::string> options;
  for (const auto& [name, value] : strings_from_options(state.options)) options.insert(name, value);
  const std::vector<std::int64_t> weights(state.weights.begin(), state.weights.end());
  return c10::ivalue::Tuple::create(
      {kStateVersion, std::string(kRegionKind), state.text, state.lines, state.node_lines, weights, options});
}

RegionState state_from_saved(const c10::IValue& saved) {
  if (!saved.isTuple() || saved.toTupleRef().elements().size() < 2) refuse_field("version");
  const auto& fields = saved.toTupleRef().elements();
  if (!fields[0].isInt()) refuse_field("version");
  if (fields[0].toInt() < 1 || fields[0].toInt() > kStateVersion)
    throw Error(
        fmt::format("region state: the version is {}, expected at most {}: load the file with a newer torchweld",
                    fields[0].toInt(), kStateVersion));
  if (!fields[1].isString() || fields[1].toStringRef() != kRegionKind)
    throw Error(fmt::format("region state: the kind is '{}', expected '{}'",
                            fields[1].isString() ? fields[1].toStringRef() : "no string", kRegionKind));
  if (fields.size() != kNumFields) refuse_field("tuple");
  if (!fields[2].isString()) refuse_field("text");
  RegionState state;
  state.text = fields[2].toStringRef();
  state.lines = strings_of(fields[3], "lines");
  state.node_lines = ints_of(fields[4], "node_lines");
  for (const auto weight : ints_of(fields[5], "weights")) state.weights.push_back(weight != 0);
  state.options = options_of(fields[6]);
  return state;
}

}  // namespace torchweld::runtime
