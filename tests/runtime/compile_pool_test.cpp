#include "runtime/compile_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace torchweld::runtime {
namespace {

TEST(CompilePool, RunsEveryTaskOnce) {
  CompilePool pool(4);
  std::vector<std::atomic<int>> runs(100);
  pool.run_all(runs.size(), [&](std::size_t i) { ++runs[i]; });
  for (const auto& count : runs) EXPECT_EQ(count, 1);
}

TEST(CompilePool, FinishesTasksThatRunTasksOfTheirOwn) {
  CompilePool pool(1);  // no thread is left to help
  std::promise<int> done;
  pool.submit([&] {
    std::atomic<int> count = 0;
    pool.run_all(3, [&](std::size_t) { ++count; });
    done.set_value(count);
  });
  EXPECT_EQ(done.get_future().get(), 3);
}

TEST(CompilePool, RefusesTasksOnceStopped) {
  CompilePool pool(2);
  pool.stop();
  EXPECT_FALSE(pool.submit([] {}));
  std::atomic<int> count = 0;
  pool.run_all(3, [&](std::size_t) { ++count; });
  EXPECT_EQ(count, 3);
}

}  // namespace
}  // namespace torchweld::runtime
