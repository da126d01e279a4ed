#include <algorithm>
#include <cmath>
#include <functional>

#include "graph/ops/composites.h"
#include "graph/ops/rows.h"

/// Arithmetic of floats and bools, conversions, and mixed forms, evaluated while planning; ints are in scalars.cpp.
namespace torchweld::graph {
namespace {

using Results = std::vector<Operand>;

using FloatFunction = double (*)(double, double);
using UnaryFunction = double (*)(double);

/// A float of two numbers, as TorchScript computes it in f64.
template <FloatFunction function>
Results of_floats(const Arguments& arguments) {
  return {function(arguments.number(0), arguments.number(1))};
}
template <UnaryFunction function>
Results of_float(const Arguments& arguments) {
  return {function(arguments.number(0))};
}

double sum(double a, double b) { return a + b; }
double difference(double a, double b) { return a - b; }
double product(double a, double b) { return a * b; }
double power(double a, double b) { return std::pow(a, b); }
double larger(double a, double b) { return b > a ? b : a; }
double smaller(double a, double b) { return b < a ? b : a; }
double itself(double a) { return a; }
double negated(double a) { return -a; }
double magnitude(double a) { return std::fabs(a); }
double square_root(double a) { return std::sqrt(a); }
double exponential(double a) { return std::exp(a); }
double logarithm(double a) { return std::log(a); }
double rounded(double a) { return std::nearbyint(a); }

Results quotient(const Arguments& arguments) {
  if (arguments.number(1) == 0) arguments.eager_refuses("division by zero");
  return {arguments.number(0) / arguments.number(1)};
}
Results floor_quotient(const Arguments& arguments) {
  if (arguments.number(1) == 0) arguments.eager_refuses("division by zero");
  return {std::floor(arguments.number(0) / arguments.number(1))};
}

template <template <typename> typename Compare>
Results compare(const Arguments& arguments) {
  return {Compare<double>{}(arguments.number(0), arguments.number(1))};
}

// ---- Ints of floats

Results int_of(const Arguments& arguments, double number) {
  constexpr double kLimit = 4611686018427387904.0;  // 2^62
  if (!(std::fabs(number) < kLimit)) arguments.refuse("too_large", "an int of a float");
  return {static_cast<std::int64_t>(number)};
}
Results truncated(const Arguments& arguments) { return int_of(arguments, std::trunc(arguments.number(0))); }
Results floor_of(const Arguments& arguments) { return int_of(arguments, std::floor(arguments.number(0))); }
Results ceiling_of(const Arguments& arguments) { return int_of(arguments, std::ceil(arguments.number(0))); }

/// An int stays as it is.
Results int_itself(const Arguments& arguments) { return {arguments.integer(0)}; }
Results int_of_scalar(const Arguments& arguments) {
  if (std::holds_alternative<std::int64_t>(arguments.operand(0).held)) return int_itself(arguments);
  return truncated(arguments);
}
Results int_of_bool(const Arguments& arguments) { return {std::int64_t{arguments.boolean(0)}}; }
Results int_magnitude(const Arguments& arguments) {
  const std::int64_t number = arguments.integer(0);
  std::int64_t negative = 0;
  if (__builtin_sub_overflow(std::int64_t{0}, number, &negative)) arguments.refuse("too_large", "an int overflows");
  return {std::max(number, negative)};
}

/// pow.int_to_int(a, b)
Results int_power(const Arguments& arguments) {
  const std::int64_t base = arguments.integer(0);
  const std::int64_t exponent = arguments.integer(1);
  if (exponent < 0 || exponent > 64) arguments.refuse("op_form", "a power of " + std::to_string(exponent));
  std::int64_t power = 1;
  for (std::int64_t i = 0; i < exponent; ++i)
    if (__builtin_mul_overflow(power, base, &power)) arguments.refuse("too_large", "an int overflows");
  return {power};
}

// ---- Bools

Results bool_of(const Arguments& arguments) { return {arguments.number(0) != 0}; }
Results both(const Arguments& arguments) { return {arguments.boolean(0) && arguments.boolean(1)}; }
Results either(const Arguments& arguments) { return {arguments.boolean(0) || arguments.boolean(1)}; }
Results one_of_two(const Arguments& arguments) { return {arguments.boolean(0) != arguments.boolean(1)}; }

using enum Promotion;

constexpr Op kRows[] = {
    {"aten::Bool.float", Same, Scalar{bool_of}},
    {"aten::Float.Scalar", Same, Scalar{of_float<itself>}},
    {"aten::Float.bool", Same, Scalar{of_float<itself>}},
    {"aten::Float.int", Same, Scalar{of_float<itself>}},
    {"aten::Int.Scalar", Same, Scalar{int_of_scalar}},
    {"aten::Int.bool", Same, Scalar{int_of_bool}},
    {"aten::Int.float", Same, Scalar{truncated}},
    {"aten::__and__.bool", Same, Scalar{both}},
    {"aten::__or__.bool", Same, Scalar{either}},
    {"aten::__xor__.bool", Same, Scalar{one_of_two}},
    {"aten::add.float", Same, Scalar{of_floats<sum>}},
    {"aten::add.float_int", Same, Scalar{of_floats<sum>}},
    {"aten::add.int_float", Same, Scalar{of_floats<sum>}},
    {"aten::ceil.float", Same, Scalar{ceiling_of}},
    {"aten::ceil.int", Same, Scalar{int_itself}},
    {"aten::div.float", Same, Scalar{quotient}},
    {"aten::div.int", Same, Scalar{quotient}},
    {"aten::eq.bool", Same, Scalar{compare<std::equal_to>}},
    {"aten::eq.float", Same, Scalar{compare<std::equal_to>}},
    {"aten::eq.float_int", Same, Scalar{compare<std::equal_to>}},
    {"aten::eq.int_float", Same, Scalar{compare<std::equal_to>}},
    {"aten::exp.float", Same, Scalar{of_float<exponential>}},
    {"aten::exp.int", Same, Scalar{of_float<exponential>}},
    {"aten::floor.float", Same, Scalar{floor_of}},
    {"aten::floor.int", Same, Scalar{int_itself}},
    {"aten::floordiv.float", Same, Scalar{floor_quotient}},
    {"aten::floordiv.float_int", Same, Scalar{floor_quotient}},
    {"aten::floordiv.int_float", Same, Scalar{floor_quotient}},
    {"aten::ge.float", Same, Scalar{compare<std::greater_equal>}},
    {"aten::ge.float_int", Same, Scalar{compare<std::greater_equal>}},
    {"aten::ge.int_float", Same, Scalar{compare<std::greater_equal>}},
    {"aten::gt.float", Same, Scalar{compare<std::greater>}},
    {"aten::gt.float_int", Same, Scalar{compare<std::greater>}},
    {"aten::gt.int_float", Same, Scalar{compare<std::greater>}},
    {"aten::le.float", Same, Scalar{compare<std::less_equal>}},
    {"aten::le.float_int", Same, Scalar{compare<std::less_equal>}},
    {"aten::le.int_float", Same, Scalar{compare<std::less_equal>}},
    {"aten::log.float", Same, Scalar{of_float<logarithm>}},
    {"aten::log.int", Same, Scalar{of_float<logarithm>}},
    {"aten::lt.float", Same, Scalar{compare<std::less>}},
    {"aten::lt.float_int", Same, Scalar{compare<std::less>}},
    {"aten::lt.int_float", Same, Scalar{compare<std::less>}},
    {"aten::mul.float", Same, Scalar{of_floats<product>}},
    {"aten::mul.float_int", Same, Scalar{of_floats<product>}},
    {"aten::mul.int_float", Same, Scalar{of_floats<product>}},
    {"aten::ne.bool", Same, Scalar{compare<std::not_equal_to>}},
    {"aten::ne.float", Same, Scalar{compare<std::not_equal_to>}},
    {"aten::ne.float_int", Same, Scalar{compare<std::not_equal_to>}},
    {"aten::ne.int_float", Same, Scalar{compare<std::not_equal_to>}},
    {"aten::neg.float", Same, Scalar{of_float<negated>}},
    {"aten::pow.float", Same, Scalar{of_floats<power>}},
    {"aten::pow.float_int", Same, Scalar{of_floats<power>}},
    {"aten::pow.int", Same, Scalar{of_floats<power>}},
    {"aten::pow.int_float", Same, Scalar{of_floats<power>}},
    {"aten::pow.int_to_int", Same, Scalar{int_power}},
    {"aten::round.float", Same, Scalar{of_float<rounded>}},
    {"aten::round.int", Same, Scalar{of_float<rounded>}},
    {"aten::sqrt.float", Same, Scalar{of_float<square_root>}},
    {"aten::sqrt.int", Same, Scalar{of_float<square_root>}},
    {"aten::sub.float", Same, Scalar{of_floats<difference>}},
    {"aten::sub.float_int", Same, Scalar{of_floats<difference>}},
    {"aten::sub.int_float", Same, Scalar{of_floats<difference>}},
    {"prim::abs.float", Same, Scalar{of_float<magnitude>}},
    {"prim::abs.int", Same, Scalar{int_magnitude}},
    {"prim::max.float", Same, Scalar{of_floats<larger>}},
    {"prim::max.float_int", Same, Scalar{of_floats<larger>}},
    {"prim::max.int_float", Same, Scalar{of_floats<larger>}},
    {"prim::min.float", Same, Scalar{of_floats<smaller>}},
    {"prim::min.float_int", Same, Scalar{of_floats<smaller>}},
    {"prim::min.int_float", Same, Scalar{of_floats<smaller>}},
};
static_assert(well_formed(kRows), "rows are sorted by name");

}  // namespace

std::span<const Op> number_rows() { return kRows; }

}  // namespace torchweld::graph
