#include "runtime/cache_files.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <utime.h>

#include "runtime/disk_cache.h"
#include "runtime/files.h"
#include "runtime/temporary_folder.h"

namespace torchweld::runtime {
namespace {

void set_age(const std::string& path, std::time_t seconds) {
  const std::time_t then = std::time(nullptr) - seconds;
  const utimbuf times{then, then};
  ASSERT_EQ(utime(path.c_str(), &times), 0);
}

class CacheFiles : public testing::Test {
protected:
  std::string write(const KernelKey& key, const std::string& name) {
    DiskCache cache(folder_.file("."), [](const std::string& message) { FAIL() << message; });
    cache.write(key, {name, "binary", {12, 0, 0}, 1.5});
    return cache.path_of(key);
  }

  TemporaryFolder folder_;
};

TEST_F(CacheFiles, TellTheKernelsNewestFirst) {
  set_age(write({1, 2}, "older"), 100);
  write({3, 4}, "newer");
  const auto files = cache_files(folder_.file("."));
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].kernel->name, "newer");
  EXPECT_EQ(files[1].kernel->name, "older");
  EXPECT_EQ(files[1].kernel->resources.registers, 12);
  EXPECT_EQ(files[1].kernel->binary, "");
}

TEST_F(CacheFiles, LeaveOutWhatTheCacheDidNotWrite) {
  for (const auto* name : {"notes.txt", "abc.kernel", "0123456789abcdef0123456789abcdef.kernels"})
    ASSERT_EQ(replace_file(folder_.file(name), "text"), "");
  EXPECT_TRUE(cache_files(folder_.file(".")).empty());
}

TEST_F(CacheFiles, LeaveOutWhatIsBeingWritten) {
  const auto path = folder_.file("0123456789abcdef0123456789abcdef.kernel.abcdef");
  ASSERT_EQ(replace_file(path, "half"), "");
  EXPECT_TRUE(cache_files(folder_.file(".")).empty());
  set_age(path, 2 * 3600);
  EXPECT_EQ(cache_files(folder_.file(".")).size(), 1U);
}

TEST_F(CacheFiles, AreGoneOnceRemovedEvenByAnotherProcess) {
  write({1, 2}, "kernel");
  const auto files = cache_files(folder_.file("."));
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(remove_cache_file(files[0]), "");
  EXPECT_EQ(remove_cache_file(files[0]), "");
  EXPECT_TRUE(cache_files(folder_.file(".")).empty());
}

}  // namespace
}  // namespace torchweld::runtime
