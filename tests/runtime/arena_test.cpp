#include "runtime/arena.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace torchweld::runtime {
namespace {

using testing::ElementsAre;

TEST(Arena, GivesValuesThatMeetDifferentPlaces) {
  const auto layout = lay_out({{100, 0, 1}, {100, 1, 2}});
  EXPECT_THAT(layout.offsets, ElementsAre(0, 256));
  EXPECT_EQ(layout.bytes, 356);
}

TEST(Arena, ReusesThePlaceOfAValueThatIsGone) {
  const auto layout = lay_out({{100, 0, 1}, {100, 2, 3}});
  EXPECT_THAT(layout.offsets, ElementsAre(0, 0));
  EXPECT_EQ(layout.bytes, 100);
}

TEST(Arena, IsEmptyWithoutValues) { EXPECT_EQ(lay_out({}).bytes, 0); }

TEST(Arena, NeverOverlapsValuesThatLiveTogether) {
  std::mt19937 random(7);
  const auto draw = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  for (int round = 0; round < 200; ++round) {
    std::vector<Lifetime> values;
    for (int i = draw(12); i >= 0; --i) {
      const int first = draw(8);
      values.push_back({1 + draw(2000), first, first + draw(4)});
    }
    const auto layout = lay_out(values);
    for (std::size_t a = 0; a < values.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const bool together =
            values[a].first_step <= values[b].last_step && values[b].first_step <= values[a].last_step;
        const bool apart = layout.offsets[a] + values[a].bytes <= layout.offsets[b] ||
                           layout.offsets[b] + values[b].bytes <= layout.offsets[a];
        EXPECT_TRUE(!together || apart) << "round " << round << ", values " << a << " and " << b;
      }
  }
}

}  // namespace
}  // namespace torchweld::runtime
