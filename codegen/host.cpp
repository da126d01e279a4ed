#include "codegen/host.h"

#include <algorithm>

#include "codegen/expression.h"
#include "codegen/keep.h"
#include "codegen/scalars.h"
#include "codegen/text.h"

namespace torchweld::codegen {
namespace {

/// Rows from which it pays to reduce in lanes, whose states are merged at the end of each row.
constexpr std::int64_t kLongRow = 256;

/// Arithmetic, in additions, from which a value is worth a buffer.
constexpr int kDear = 6;

Kept keep_dear_values(const LoopNest& nest) {
  Kept kept = keep_nothing(nest);
  for (std::size_t i = 0; i < nest.steps.size(); ++i)
    kept.keep[i] = nest.steps[i].inner && weight_of(nest.group->statements[i]) >= kDear;
  return kept;
}

class HostPrinter {
public:
  HostPrinter(const LoopNest& nest, Arguments& arguments)
      : nest_(nest), kept_(keep_dear_values(nest)), work_(work_of_phases(nest, kept_)), arguments_(arguments),
        scalars_(nest, arguments, std::vector<bool>(nest.steps.size(), false),
                 std::vector<bool>(nest.accesses.size(), true)) {
    drop_unused_buffers();
    has_lanes_ = !nest.inner.empty() && nest.inner.back().extent >= kLongRow;
  }

  std::string print() {
    if (nest_.rows.empty() && !nest_.reduces) {
      print_phase(0);  // work items are elements
      return text_.lines();
    }
    for (std::size_t i = 0; i < kept_.keep.size(); ++i)
      if (kept_.keep[i])
        text_.line("RowBuffer<", scalars_.type(static_cast<int>(i)), "> ", scalars_.name(static_cast<int>(i)), "(",
                   arguments_.integer("n", nest_.num_inner(), 8), ");");
    text_.open("for (i64 row = begin; row < end; ++row)");
    split_row();
    for (std::size_t i = 0; i < nest_.accesses.size(); ++i) point_to_row(static_cast<int>(i));
    for (int phase = 0; phase < nest_.num_phases; ++phase) print_phase(phase);
    text_.close();
    return text_.lines();
  }

private:
  void drop_unused_buffers() {
    std::vector<bool> reused(kept_.keep.size(), false);
    for (const PhaseWork& work : work_)
      for (const int i : work.reused) reused[static_cast<std::size_t>(i)] = true;
    kept_.keep = reused;
  }

  void split_row() {
    std::string whole = "row";
    for (std::size_t loop = nest_.rows.size() - 1; !nest_.rows.empty() && loop > 0; --loop) {
      const std::string rest = loop == 1 ? "row_0" : join("above_", loop);
      const std::string extent = arguments_.integer(join("row_extent", loop), nest_.rows[loop].extent, 8);
      text_.line("const i64 ", rest, " = ", whole, " / ", extent, ", row_", loop, " = ", whole, " - ", rest, " * ",
                 extent, ';');
      whole = rest;
    }
  }

  [[nodiscard]] std::string row_index(std::size_t loop) const {
    return nest_.rows.size() == 1 ? "row" : join("row_", loop);
  }
  [[nodiscard]] std::string inner_index(std::size_t loop) const {
    return nest_.inner.size() == 1 ? "j" : join("j_", loop);
  }

  std::string offset(const PartStrides& strides, const std::string& name, const char* part) {
    std::string sum;
    for (std::size_t k = 0; k < strides.per_loop.size(); ++k) {
      if (strides.per_loop[k] == 0) continue;
      const std::string index = *part == 'r' ? row_index(k) : inner_index(k);
      sum += join(sum.empty() ? "" : " + ", index);
      if (strides.per_loop[k] != 1) sum += " * " + arguments_.integer(join(name, '_', part, k), strides.per_loop[k], 8);
    }
    return sum;
  }

  void point_to_row(int access) {
    const auto i = static_cast<std::size_t>(access);
    const std::string& pointer = scalars_.pointer(access);
    const std::string at = offset(nest_.accesses[i].rows, pointer, "row");
    const bool written = pointer.front() == 'o';
    text_.line(written ? "" : "const ", memory_type(nest_.group->accesses[i].dtype), "* __restrict ", pointer,
               "_here = ", pointer, at.empty() ? "" : " + ", at, ';');
  }

  /// An element of an access at the current indices.
  std::string element(int access) {
    const auto i = static_cast<std::size_t>(access);
    const std::string& pointer = scalars_.pointer(access);
    const std::string at = offset(nest_.accesses[i].inner, pointer, "stride");
    const bool has_rows = !nest_.rows.empty() || nest_.reduces;
    return join(pointer, has_rows ? "_here" : "", '[', at.empty() ? "0" : at, ']');
  }

  /// The flat inner index, row-major.
  std::string flat_index() {
    if (nest_.inner.empty()) return "0";
    std::string flat = inner_index(0);
    for (std::size_t k = 1; k < nest_.inner.size(); ++k)
      flat = join(k > 1 ? "(" : "", flat, k > 1 ? ")" : "", " * ", extent(k), " + ", inner_index(k));
    return flat;
  }

  std::string extent(std::size_t loop) {
    const std::string name = nest_.inner.size() == 1 ? std::string("n") : join("extent", loop);
    return arguments_.integer(name, nest_.inner[loop].extent, 8);
  }

  std::string value(int statement) {
    const auto i = static_cast<std::size_t>(statement);
    return kept_.keep[i] ? join(scalars_.name(statement), '[', flat_index(), ']') : scalars_.name(statement);
  }

  Place place() {
    return {[this](int statement) { return value(statement); },
            [this](int axis) {
              for (std::size_t k = 0; k < nest_.rows.size(); ++k)
                if (nest_.rows[k].axis == axis) return row_index(k);
              for (std::size_t k = 0; k < nest_.inner.size(); ++k)
                if (nest_.inner[k].axis == axis) return inner_index(k);
              return std::string("0");
            }};
  }

  void define(int statement, int phase) {
    const auto i = static_cast<std::size_t>(statement);
    const fusion::Statement& of = nest_.group->statements[i];
    const auto* load = std::get_if<fusion::Load>(&of.body);
    std::string right;
    if (load)
      right = scalars_.load(load->access, element(load->access), place());
    else if (std::holds_alternative<fusion::Reduce>(of.body))
      right = scalars_.result(statement);
    else
      right = scalars_.expression(statement, place());
    const bool buffered = kept_.keep[i] && kept_.first_phase[i] == phase;
    text_.line(buffered ? std::string() : join("const ", scalars_.type(statement), ' '), value(statement), " = ", right,
               ';');
  }

  void store(const fusion::Store& store) {
    const std::string guard = scalars_.guard(store.access, place());
    text_.line(guard.empty() ? "" : "if (", guard, guard.empty() ? "" : ") ", element(store.access), " = ",
               scalars_.stored(store.access, store.statement.index, value(store.statement.index)), ';');
  }

  void print_phase(int phase) {
    const PhaseWork& work = work_[static_cast<std::size_t>(phase)];
    for (std::size_t i = 0; i < nest_.steps.size(); ++i)
      if (!nest_.steps[i].inner && nest_.steps[i].phase == phase) define(static_cast<int>(i), phase);
    for (std::size_t s = 0; s < nest_.group->stores.size(); ++s) {
      const fusion::Store& candidate = nest_.group->stores[s];
      const bool inner = std::find(work.stores.begin(), work.stores.end(), static_cast<int>(s)) != work.stores.end();
      if (!inner && nest_.steps[static_cast<std::size_t>(candidate.statement.index)].phase == phase) store(candidate);
    }
    if (work.reductions.empty() && work.stores.empty()) return;
    for (const int reduction : work.reductions) text_.line(state_type(reduction), ' ', scalars_.state(reduction), ';');
    const bool blocks =
        std::any_of(work.reductions.begin(), work.reductions.end(), [&](int reduction) { return in_lanes(reduction); });
    open_loops(blocks);
    for (const int i : work.statements) define(i, phase);
    for (const int reduction : work.reductions)
      text_.line(scalars_.state(reduction), ".push(",
                 in_lanes(reduction) ? inner_index(nest_.inner.size() - 1) + " - block, " : "",
                 scalars_.pushed(reduction, place(), flat_index()), ");");
    for (const int s : work.stores) store(nest_.group->stores[static_cast<std::size_t>(s)]);
    close_loops(blocks);
  }

  /// One running sum of floats over a long row would lose digits.
  [[nodiscard]] std::string state_type(int reduction) const {
    std::string type = scalars_.state_type(reduction);
    if (type == "Sum<float>") type = "Sum<double>";
    return in_lanes(reduction) ? join("Lanes<", type, '>') : type;
  }

  [[nodiscard]] bool in_lanes(int reduction) const { return has_lanes_ && !scalars_.is_arg_reduction(reduction); }

  /// `blocks`: the innermost loop walks blocks of kLanes elements.
  void open_loops(bool blocks) {
    if (nest_.rows.empty() && !nest_.reduces) {
      const char* const index = nest_.inner.empty() ? "row" : "j";
      return text_.open("for (i64 ", index, " = begin; ", index, " < end; ++", index, ')');
    }
    for (std::size_t k = 0; k < nest_.inner.size(); ++k) {
      const std::string index = inner_index(k), limit = extent(k);
      const bool in_block = blocks && k + 1 == nest_.inner.size();
      if (in_block) text_.open("for (i64 block = 0; block < ", limit, "; block += kLanes)");
      text_.open("for (i64 ", index, " = ", in_block ? "block" : "0", "; ", index, " < ",
                 in_block ? join("end_of_block(block, ", limit, ')') : limit, "; ++", index, ')');
    }
  }
  void close_loops(bool blocks) {
    const bool elements = nest_.rows.empty() && !nest_.reduces;
    for (std::size_t k = 0; k < (elements ? 1 : nest_.inner.size() + (blocks ? 1 : 0)); ++k) text_.close();
  }

  const LoopNest& nest_;
  Kept kept_;
  std::vector<PhaseWork> work_;
  Arguments& arguments_;
  Scalars scalars_;
  bool has_lanes_ = false;
  Text text_{1};
};

std::string parameter_line(const Arguments::Parameter& parameter, std::size_t i) {
  if (parameter.type.back() == '*')
    return join("  ", parameter.type, " __restrict ", parameter.name, " = *static_cast<", parameter.type,
                " const*>(arguments[", i, "]);\n");
  return join("  const ", parameter.type, ' ', parameter.name, " = *static_cast<const ", parameter.type,
              "*>(arguments[", i, "]);\n");
}

}  // namespace

Kernel print_host(const fusion::Group& group, std::string name) {
  LoopNest nest = make_loops(group);
  if (!nest.reduces && nest.inner.size() > 1) split_innermost(nest);
  Arguments arguments;
  const std::string body = HostPrinter(nest, arguments).print();
  Kernel kernel;
  kernel.name = std::move(name);
  kernel.schedule = nest.reduces ? "host rows" : nest.rows.empty() ? "host elements" : "host rows of elements";
  kernel.launch.grid = nest.reduces || !nest.rows.empty() ? nest.num_rows() : nest.num_inner();
  for (const Loop& loop : nest.inner)
    if (!nest.reduces && loop.extent == 0) kernel.launch.grid = 0;
  kernel.text = join("// ", kernel.schedule, "\nextern \"C\" void ", kernel.name,
                     "(const void* const* arguments, i64 begin, i64 end) {\n");
  for (std::size_t i = 0; i < arguments.parameters().size(); ++i)
    kernel.text += parameter_line(arguments.parameters()[i], i);
  kernel.text += body + "}\n";
  kernel.arguments = arguments.take();
  return kernel;
}

}  // namespace torchweld::codegen
