#include <limits>
#include <random>

#include "graph/expect.h"
#include "graph/op.h"

namespace torchweld::graph {
namespace {

/// Regions of one node, of any op on any operands: most are nonsense, none may throw.
class RandomRegion {
public:
  explicit RandomRegion(unsigned seed) : random_(seed) {}

  Graph next() {
    Graph region;
    for (int i = 0; i < 3; ++i) region.add_input(tensor());
    region.add_input(ScalarType{pick({DType::i64, DType::f64, DType::b8})});
    const Op& op = ops()[static_cast<std::size_t>(between(0, static_cast<int>(ops().size()) - 1))];
    std::vector<Operand> operands{between(0, 9) > 0 ? Operand(Value{0}) : operand(2)};
    for (int count = between(0, 7); count > 0; --count) operands.push_back(operand(2));
    const bool list = between(0, 2) == 0;
    const auto results = region.add(op, std::move(operands), {list ? Type(ListType{}) : Type(UntypedTensor{})});
    region.set_outputs({list ? Value{0} : results[0]});
    return region;
  }

private:
  int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  template <typename T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[between(0, static_cast<int>(values.size()) - 1)];
  }

  TensorType tensor() {
    TensorType type{.dtype = static_cast<DType>(between(0, 9)), .sizes = {}, .strides = {}};
    for (int rank = between(0, 5); rank > 0; --rank) type.sizes.push_back(pick<std::int64_t>({0, 1, 2, 3, 4}));
    type.strides = contiguous_strides(type.sizes);
    if (type.sizes.size() > 1 && between(0, 2) == 0) {
      std::swap(type.sizes.front(), type.sizes.back());
      std::swap(type.strides.front(), type.strides.back());
    }
    return type;
  }

  Operand operand(int depth) {
    switch (between(0, depth > 0 ? 9 : 7)) {
    case 0:
      return None{};
    case 1:
      return between(0, 1) == 1;
    case 2:
      return pick({0.5, -1.0, 2.0, 0.0, 1e300});
    case 3:
      return pick({"none", "tanh", "floor", "constant", "cpu", ""});
    case 4:
    case 5:
      return pick<std::int64_t>({0, 1, -1, 2, 3, -5, 6, std::numeric_limits<std::int64_t>::max(),
                                 std::numeric_limits<std::int64_t>::min(), std::int64_t{1} << 40U});
    case 6:
    case 7:
      return Value{between(0, 3)};
    default:
      break;
    }
    Operand::List list;
    for (int count = between(0, 4); count > 0; --count) list.push_back(operand(depth - 1));
    return list;
  }

  std::mt19937 random_;
};

TEST(Fuzz, InferAndLowerAnswerWithAGraphOrAReason) {
  constexpr unsigned kSeed = 20240607;
  RandomRegion regions(kSeed);
  int typed_regions = 0;
  for (int i = 0; i < 30'000; ++i) {
    const Graph region = regions.next();
    try {
      const auto typed = infer(region, facts_of(region));
      if (!std::holds_alternative<Graph>(typed)) continue;
      ++typed_regions;
      const auto lowered = lower(std::get<Graph>(typed));
      if (std::holds_alternative<Graph>(lowered)) verify(simplify_primitives(std::get<Graph>(lowered)));
    } catch (const std::exception& error) {
      FAIL() << "seed " << kSeed << ", region " << i << ": " << error.what() << "\n" << to_text(region);
    }
  }
  EXPECT_GT(typed_regions, 1000);  // else it tests refusals only
}

}  // namespace
}  // namespace torchweld::graph
