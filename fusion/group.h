#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/graph.h"
#include "graph/op.h"

namespace torchweld::fusion {

/// One loop of a group. Kept axes come first in Group::axes, reduced axes last; within each part the order is
/// row-major as the group's outputs see it. Scheduling reorders and collapses them.
struct Axis {
  std::int64_t extent = 1;
  bool reduced = false;
  bool operator==(const Axis&) const = default;
};

/// An access happens only where begin <= index[axis] < end (a part of a cat, the inside of a pad).
struct Guard {
  int axis = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool operator==(const Guard&) const = default;
};

/// How a value in memory is indexed: base + offset + sum over axes of stride * index, in elements.
/// A stride of 0 means that the value does not depend on that axis.
struct Access {
  graph::Value value;  ///< an input of the graph, an intermediate buffer or an output
  graph::DType dtype = graph::DType::f32;
  std::int64_t offset = 0;
  graph::Dims strides;                  ///< one per axis of the group
  int alignment = graph::kVectorBytes;  ///< of the base address, in bytes
  std::optional<Guard> guard;
  bool operator==(const Access&) const = default;
};

/// A number that reaches a kernel as an argument: a literal, or a scalar input of the graph known only at the call.
struct Number {
  graph::DType dtype = graph::DType::f64;  ///< i64, f64 or bool, as the program has it
  std::variant<std::int64_t, double, bool, graph::Value> held;
  bool operator==(const Number&) const = default;
};

/// The position of an earlier statement of the same group.
struct StatementIndex {
  std::int32_t index = -1;
  auto operator<=>(const StatementIndex&) const = default;
};
using Input = std::variant<StatementIndex, Number>;

/// Reads Group::accesses[access].
struct Load {
  int access = 0;
  bool operator==(const Load&) const = default;
};
/// Applies op's Expr; each input is first converted to the statement's compute dtype.
struct Pointwise {
  const graph::Op* op = nullptr;
  std::vector<Input> inputs;
  bool operator==(const Pointwise&) const = default;
};
/// Reduces `input` over all reduced axes of the group.
struct Reduce {
  graph::ReductionKind kind = graph::ReductionKind::sum;
  StatementIndex input;
  bool operator==(const Reduce&) const = default;
};
/// start + step * index[axis], for arange and masks by position.
struct Position {
  int axis = 0;
  Number start;
  Number step;
  bool operator==(const Position&) const = default;
};
/// Input k where bounds[k] <= index[axis] < bounds[k + 1] (cat); the others' loads are guarded.
struct Choose {
  int axis = 0;
  std::vector<std::int64_t> bounds;
  std::vector<Input> inputs;
  bool operator==(const Choose&) const = default;
};

/// One scalar value of a group, computed once for each index of the axes it spans.
struct Statement {
  std::variant<Load, Pointwise, Reduce, Position, Choose> body;
  graph::Value value;                        ///< the value of the primitive graph that it computes
  graph::DType dtype = graph::DType::f32;    ///< the value's dtype, as eager has it
  graph::DType compute = graph::DType::f32;  ///< what the arithmetic is done in, and what registers hold
  std::vector<bool> spans;                   ///< per axis of the group: depends on it
  bool operator==(const Statement&) const = default;
};

/// Writes a statement's value through an access of Group::accesses, rounded to the access's dtype. A store that spans
/// no reduced axis happens once per kept index.
struct Store {
  int access = 0;
  StatementIndex statement;
  bool operator==(const Store&) const = default;
};

/// Nodes that become one kernel, as a scalar program over axes.
struct Group {
  std::vector<Axis> axes;
  std::vector<Access> accesses;       ///< loads first, then stores, each (value, index map) once
  std::vector<Statement> statements;  ///< in dependence order
  std::vector<Store> stores;
  std::vector<std::int32_t> nodes;  ///< of the primitive graph, for names, provenance and the report
  std::int64_t bytes_read = 0;      ///< each operand's memory once
  std::int64_t bytes_written = 0;
  std::int64_t bytes_eager = 0;  ///< what the same nodes move when each runs alone
  bool operator==(const Group&) const = default;
};

/// Names made from the ops of the group ("mul_sigmoid"), a valid identifier, at most 48 characters; equal groups have
/// equal names.
[[nodiscard]] std::string name_of(const graph::Graph& graph, const Group& group);

/// A readable form for tests and --explain: axes, accesses, statements, stores, one per line.
[[nodiscard]] std::string to_text(const graph::Graph& graph, const Group& group);

}  // namespace torchweld::fusion
