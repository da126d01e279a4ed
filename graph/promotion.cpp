#include "graph/promotion.h"

namespace torchweld::graph {
namespace {

void join(std::optional<DType>& dtype, DType other) { dtype = dtype ? promote(*dtype, other) : other; }

/// The dtype of a class of operands and of one it outranks.
std::optional<DType> combine(std::optional<DType> higher, std::optional<DType> lower) {
  if (!higher || !lower) return higher ? higher : lower;
  return category_of(*lower) > category_of(*higher) ? promote(*higher, *lower) : *higher;
}

}  // namespace

int category_of(DType dtype) {
  if (dtype == DType::b8) return 0;
  return is_floating(dtype) ? 2 : 1;
}

DType promote(DType a, DType b) {
  if (a == b) return a;
  if (category_of(a) != category_of(b)) return category_of(a) > category_of(b) ? a : b;
  if (size_of(a) != size_of(b)) return size_of(a) > size_of(b) ? a : b;
  return is_floating(a) ? DType::f32 : DType::i16;  // f16 with bf16, i8 with u8
}

void ResultDType::add(const TensorType& type) {
  if (type.wrapped_number) return add_number(type.dtype);
  join(type.rank() > 0 ? dimensioned_ : zero_dim_, type.dtype);
}

void ResultDType::add_number(DType dtype) { join(number_, is_floating(dtype) ? default_dtype_ : dtype); }

std::optional<DType> ResultDType::get() const { return combine(dimensioned_, combine(zero_dim_, number_)); }

}  // namespace torchweld::graph
