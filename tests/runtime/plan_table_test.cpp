#include "runtime/plan_table.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "runtime/signature.h"

namespace torchweld::runtime {
namespace {

using Words = std::vector<std::int64_t>;

std::shared_ptr<const LaunchPlan> plan_of(std::int64_t key) {
  auto plan = std::make_shared<LaunchPlan>();
  plan->plan_key = key;
  return plan;
}

std::shared_ptr<const LaunchPlan> add(PlanTable& table, const Words& words, std::int64_t key) {
  return table.find_or_build(words, [key] { return plan_of(key); });
}

const LaunchPlan* find(const PlanTable& table, const Words& words) { return table.find(words, hash_of(words)); }

TEST(PlanTable, FindsTheVeryPlanOfASignature) {
  PlanTable table;
  const auto plan = add(table, {1, 2, 3}, 7);
  EXPECT_EQ(find(table, {1, 2, 3}), plan.get());
  EXPECT_EQ(find(table, {1, 2}), nullptr);
  EXPECT_EQ(find(table, {1, 2, 4}), nullptr);
}

TEST(PlanTable, ComparesWordsWhereHashesAreEqual) {
  PlanTable table;
  add(table, {1, 2, 3}, 7);
  const Words other{4, 5, 6};
  EXPECT_EQ(table.find(other, hash_of(Words{1, 2, 3})), nullptr);
}

TEST(PlanTable, BuildsASignatureOnce) {
  PlanTable table;
  const auto plan = add(table, {1}, 7);
  EXPECT_EQ(add(table, {1}, 8), plan);
}

TEST(PlanTable, BuildsOnceWhileOthersWait) {
  PlanTable table;
  std::atomic<int> builds = 0;
  std::vector<std::shared_ptr<const LaunchPlan>> got(8);
  std::vector<std::thread> threads;
  for (auto& plan : got)
    threads.emplace_back([&] {
      plan = table.find_or_build(Words{1, 2}, [&] {
        ++builds;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return plan_of(1);
      });
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(builds, 1);
  for (const auto& plan : got) EXPECT_EQ(plan, got[0]);
}

TEST(PlanTable, AsksAgainAfterABuildThatThrew) {
  PlanTable table;
  EXPECT_THROW((void)table.find_or_build(Words{1},
                                         []() -> std::shared_ptr<const LaunchPlan> { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_NE(add(table, {1}, 1), nullptr);
}

TEST(PlanTable, StartsABuildOnceAndGivesItsPlanLater) {
  PlanTable table;
  int starts = 0;
  const auto start = [&] { return ++starts > 0; };
  EXPECT_EQ(table.find_or_start(Words{1}, start), nullptr);
  EXPECT_EQ(table.find_or_start(Words{1}, start), nullptr);
  EXPECT_EQ(starts, 1);
  const auto plan = add(table, {1}, 1);
  EXPECT_EQ(table.find_or_start(Words{1}, start), plan);
  EXPECT_EQ(starts, 1);
}

TEST(PlanTable, DropsThePlansThatWereUnusedForLongest) {
  PlanTable table(16);
  for (std::int64_t i = 0; i < 16; ++i) add(table, {i}, i);
  EXPECT_NE(find(table, {0}), nullptr);  // used again
  add(table, {16}, 16);
  EXPECT_EQ(table.plans().size(), 14u);
  EXPECT_NE(find(table, {0}), nullptr);
  EXPECT_NE(find(table, {16}), nullptr);
  EXPECT_EQ(find(table, {1}), nullptr);
}

TEST(PlanTable, KeepsAPlanWhileAThreadReadsIt) {
  PlanTable table;
  add(table, {1}, 42);
  std::weak_ptr<const LaunchPlan> watch = table.plans()[0];
  {
    const Epochs::Reading reading(table.epochs());
    const auto* plan = find(table, {1});
    std::thread([&] { table.clear(); }).join();
    EXPECT_EQ(find(table, {1}), nullptr);
    ASSERT_FALSE(watch.expired());
    EXPECT_EQ(plan->plan_key, 42);
  }
  table.epochs().collect();
  EXPECT_TRUE(watch.expired());
}

TEST(PlanTable, KeepsAPlanWhileAThreadReadsItInATableWhereAnotherWas) {
  std::optional<PlanTable> table;
  for (int i = 0; i < 2; ++i) {
    table.emplace();
    add(*table, {1}, 42);
    std::weak_ptr<const LaunchPlan> watch = table->plans()[0];
    const Epochs::Reading reading(table->epochs());
    std::thread([&] { table->clear(); }).join();
    EXPECT_FALSE(watch.expired());
  }
}

TEST(PlanTable, IsReadWhileItIsReplaced) {
  PlanTable table(32);
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> readers;
  for (int t = 0; t < 3; ++t)
    readers.emplace_back([&] {
      while (!stop)
        for (std::int64_t i = 0; i < 64; ++i) {
          const Epochs::Reading reading(table.epochs());
          if (const auto* plan = find(table, {i, i})) wrong += plan->plan_key != i;
        }
    });
  for (std::int64_t i = 0; i < 2000; ++i) add(table, {i % 64, i % 64}, i % 64);
  stop = true;
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace torchweld::runtime
