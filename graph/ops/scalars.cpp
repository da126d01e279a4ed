#include <algorithm>
#include <functional>

#include "graph/ops/composites.h"
#include "graph/ops/rows.h"

/// Ops that are evaluated on the host while planning: size arithmetic, lists, queries of a tensor's type.
namespace torchweld::graph {
namespace {

using Results = std::vector<Operand>;

Results size_of_dim(const Arguments& arguments) {
  const TensorType& x = arguments.tensor(0);
  if (x.rank() == 0) arguments.eager_refuses("a tensor of no dims");
  return {x.sizes[arguments.dim(1, x.rank())]};
}
Results sizes(const Arguments& arguments) { return {arguments.tensor(0).sizes}; }
Results rank(const Arguments& arguments) { return {arguments.tensor(0).rank()}; }
Results elements(const Arguments& arguments) { return {numel(arguments.tensor(0).sizes)}; }
Results dtype(const Arguments& arguments) { return {code_of(arguments.tensor(0).dtype)}; }
Results device(const Arguments& arguments) { return {device_text(arguments.place(), arguments.tensor(0).device)}; }
Results is_cuda(const Arguments& arguments) { return {arguments.tensor(0).device == Device::cuda}; }
Results is_floating_point(const Arguments& arguments) { return {is_floating(arguments.tensor(0).dtype)}; }

/// len.Tensor, len.t and the like
Results length(const Arguments& arguments) {
  if (const Operand::List* list = arguments.operand(0).list()) return {static_cast<std::int64_t>(list->size())};
  if (arguments.tensor(0).rank() == 0) arguments.eager_refuses("len() of a tensor of no dims");
  return {arguments.tensor(0).sizes[0]};
}

Results list_construct(const Arguments& arguments) {
  return {Operand::List(arguments.operands().begin(), arguments.operands().end())};
}

Results list_unpack(const Arguments& arguments) {
  const Operand::List* list = arguments.operand(0).list();
  if (!list) arguments.refuse("op_form", "operand 0 is not a list");
  return *list;
}

Results get_item(const Arguments& arguments) {
  const Operand::List* list = arguments.operand(0).list();
  if (!list) arguments.refuse("op_form", "operand 0 is not a list");
  const auto count = static_cast<std::int64_t>(list->size());
  const std::int64_t index = arguments.integer(1);
  if (index < -count || index >= count) arguments.eager_refuses("list index out of range");
  return {(*list)[static_cast<std::size_t>(index < 0 ? index + count : index)]};
}

/// slice.t(list, start, end, step)
Results slice_list(const Arguments& arguments) {
  const Operand::List* list = arguments.operand(0).list();
  if (!list) arguments.refuse("op_form", "operand 0 is not a list");
  const auto count = static_cast<std::int64_t>(list->size());
  const auto bound = [&](std::size_t i, std::int64_t otherwise) {
    const std::int64_t position = arguments.is_none(i) ? otherwise : arguments.integer(i);
    return std::clamp<std::int64_t>(position < 0 ? position + count : position, 0, count);
  };
  const std::int64_t step = arguments.is_none(3) ? 1 : arguments.integer(3);
  if (step <= 0) arguments.refuse("op_form", "step is not positive");
  Operand::List part;
  for (std::int64_t i = bound(1, 0); i < bound(2, count); i += step)
    part.push_back((*list)[static_cast<std::size_t>(i)]);
  return {std::move(part)};
}

Results concatenate_lists(const Arguments& arguments) {
  const Operand::List* first = arguments.operand(0).list();
  const Operand::List* second = arguments.operand(1).list();
  if (!first || !second) arguments.refuse("op_form", "an operand is not a list");
  Operand::List joined = *first;
  joined.insert(joined.end(), second->begin(), second->end());
  return {std::move(joined)};
}

using IntFunction = std::int64_t (*)(const Arguments&, std::int64_t, std::int64_t);

/// An int of two ints.
template <IntFunction function>
Results of_ints(const Arguments& arguments) {
  return {function(arguments, arguments.integer(0), arguments.integer(1))};
}

std::int64_t sum(const Arguments& arguments, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) arguments.refuse("too_large", "an int overflows");
  return result;
}
std::int64_t difference(const Arguments& arguments, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) arguments.refuse("too_large", "an int overflows");
  return result;
}
std::int64_t product(const Arguments& arguments, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) arguments.refuse("too_large", "an int overflows");
  return result;
}
std::int64_t floor_quotient(const Arguments& arguments, std::int64_t a, std::int64_t b) {
  if (b == 0) arguments.eager_refuses("division by zero");
  if (b == -1) return difference(arguments, 0, a);
  return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}
std::int64_t remainder(const Arguments& arguments, std::int64_t a, std::int64_t b) {
  if (b == 0) arguments.eager_refuses("division by zero");
  if (b == -1) return 0;
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
std::int64_t larger(const Arguments&, std::int64_t a, std::int64_t b) { return std::max(a, b); }
std::int64_t smaller(const Arguments&, std::int64_t a, std::int64_t b) { return std::min(a, b); }
Results negated(const Arguments& arguments) { return {difference(arguments, 0, arguments.integer(0))}; }

template <template <typename> typename Compare>
Results compare(const Arguments& arguments) {
  return {Compare<std::int64_t>{}(arguments.integer(0), arguments.integer(1))};
}

Results bool_not(const Arguments& arguments) { return {!arguments.boolean(0)}; }
Results bool_of_int(const Arguments& arguments) { return {arguments.integer(0) != 0}; }

std::int64_t common_bits(const Arguments&, std::int64_t a, std::int64_t b) { return a & b; }
std::int64_t all_bits(const Arguments&, std::int64_t a, std::int64_t b) { return a | b; }
std::int64_t other_bits(const Arguments&, std::int64_t a, std::int64_t b) { return a ^ b; }

/// x is None, when one side is the literal None.
Results is_none(const Arguments& arguments) {
  if (!arguments.is_none(0) && !arguments.is_none(1)) arguments.refuse("op_form", "neither side is None");
  return {arguments.is_none(0) == arguments.is_none(1)};
}
Results is_not_none(const Arguments& arguments) {
  if (!arguments.is_none(0) && !arguments.is_none(1)) arguments.refuse("op_form", "neither side is None");
  return {arguments.is_none(0) != arguments.is_none(1)};
}

/// The operand itself.
Results itself(const Arguments& arguments) { return {arguments.operand(0)}; }

/// eq.int_list(a, b), ne.int_list(a, b)
template <bool equal>
Results compare_lists(const Arguments& arguments) {
  return {(arguments.ints(0) == arguments.ints(1)) == equal};
}

Results contains(const Arguments& arguments) {
  const Dims list = arguments.ints(0);
  return {std::find(list.begin(), list.end(), arguments.integer(1)) != list.end()};
}

/// mul.left_t(list, n), mul.right_(n, list): the list n times
template <std::size_t list>
Results repeated(const Arguments& arguments) {
  constexpr std::int64_t kMost = 1 << 16;
  const std::int64_t times = std::max<std::int64_t>(arguments.integer(1 - list), 0);
  const Operand::List* elements = arguments.operand(list).list();
  if (!elements) arguments.refuse("op_form", "an operand is not a list");
  if (times > kMost) arguments.refuse("too_large", "a list of more than 2^16 copies");
  Operand::List result;
  for (std::int64_t i = 0; i < times; ++i) result.insert(result.end(), elements->begin(), elements->end());
  return {std::move(result)};
}

Results sum_of_list(const Arguments& arguments) {
  std::int64_t total = 0;
  for (const std::int64_t element : arguments.ints(0)) total = sum(arguments, total, element);
  return {total};
}

template <IntFunction choose>
Results extreme_of_list(const Arguments& arguments) {
  const Dims list = arguments.ints(0);
  if (list.empty()) arguments.eager_refuses("an extreme of an empty list");
  std::int64_t best = list.front();
  for (const std::int64_t element : list) best = choose(arguments, best, element);
  return {best};
}

using enum Promotion;

constexpr Op kRows[] = {
    {"aten::Bool.int", Same, Scalar{bool_of_int}},
    {"aten::__and__.int", Same, Scalar{of_ints<common_bits>}},
    {"aten::__contains__.int_list", Same, Scalar{contains}},
    {"aten::__getitem__.t", Same, Scalar{get_item}},
    {"aten::__is__", Same, Scalar{is_none}},
    {"aten::__isnot__", Same, Scalar{is_not_none}},
    {"aten::__not__", Same, Scalar{bool_not}},
    {"aten::__or__.int", Same, Scalar{of_ints<all_bits>}},
    {"aten::__xor__.int", Same, Scalar{of_ints<other_bits>}},
    {"aten::add.int", Same, Scalar{of_ints<sum>}},
    {"aten::add.t", Same, Scalar{concatenate_lists}},
    {"aten::dim", Same, Scalar{rank}},
    {"aten::eq.int", Same, Scalar{compare<std::equal_to>}},
    {"aten::eq.int_list", Same, Scalar{compare_lists<true>}},
    {"aten::floordiv.int", Same, Scalar{of_ints<floor_quotient>}},
    {"aten::ge.int", Same, Scalar{compare<std::greater_equal>}},
    {"aten::gt.int", Same, Scalar{compare<std::greater>}},
    {"aten::is_floating_point", Same, Scalar{is_floating_point}},
    {"aten::le.int", Same, Scalar{compare<std::less_equal>}},
    {"aten::len.Tensor", Same, Scalar{length}},
    {"aten::len.t", Same, Scalar{length}},
    {"aten::list.t", Same, Scalar{itself}},
    {"aten::lt.int", Same, Scalar{compare<std::less>}},
    {"aten::mul.int", Same, Scalar{of_ints<product>}},
    {"aten::mul.left_t", Same, Scalar{repeated<0>}},
    {"aten::mul.right_", Same, Scalar{repeated<1>}},
    {"aten::ne.int", Same, Scalar{compare<std::not_equal_to>}},
    {"aten::ne.int_list", Same, Scalar{compare_lists<false>}},
    {"aten::neg.int", Same, Scalar{negated}},
    {"aten::numel", Same, Scalar{elements}},
    {"aten::remainder.int", Same, Scalar{of_ints<remainder>}},
    {"aten::size", Same, Scalar{sizes}},
    {"aten::size.int", Same, Scalar{size_of_dim}},
    {"aten::slice.t", Same, Scalar{slice_list}},
    {"aten::sub.int", Same, Scalar{of_ints<difference>}},
    {"aten::sum.int", Same, Scalar{sum_of_list}},
    {"prim::ListConstruct", Same, Scalar{list_construct}},
    {"prim::ListUnpack", Same, Scalar{list_unpack}},
    {"prim::device", Same, Scalar{device}},
    {"prim::dtype", Same, Scalar{dtype}},
    {"prim::is_cuda", Same, Scalar{is_cuda}},
    {"prim::max.int", Same, Scalar{of_ints<larger>}},
    {"prim::max.self_int", Same, Scalar{extreme_of_list<larger>}},
    {"prim::min.int", Same, Scalar{of_ints<smaller>}},
    {"prim::min.self_int", Same, Scalar{extreme_of_list<smaller>}},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> scalar_rows() { return kRows; }

}  // namespace torchweld::graph
