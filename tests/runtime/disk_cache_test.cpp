#include "runtime/disk_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "runtime/cache_entry.h"
#include "runtime/environment.h"
#include "runtime/files.h"

namespace torchweld::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const CompiledKernel kKernel{"mul_add", std::string("\0binary\n", 8), {32, 256, 0}, 12.5};
constexpr KernelKey kKey{0x0123456789abcdefULL, 42};

struct DiskCacheTest : testing::Test {
  Folder folder;
  std::vector<std::string> warnings;
  DiskCache cache{folder.path(), [this](const std::string& message) { warnings.push_back(message); }};

  void overwrite(const std::string& bytes) {
    std::ofstream(cache.path_of(kKey), std::ios::binary | std::ios::trunc) << bytes;
  }
  void expect_dropped(const char* reason) {
    EXPECT_EQ(cache.read(kKey), std::nullopt);
    EXPECT_THAT(warnings, ElementsAre(HasSubstr(reason)));
    EXPECT_THAT(folder.files(), IsEmpty());
  }
};

TEST_F(DiskCacheTest, GivesBackWhatWasWritten) {
  cache.write(kKey, kKernel);
  EXPECT_EQ(cache.read(kKey), kKernel);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(DiskCacheTest, HoldsNothingForAnotherKey) {
  cache.write(kKey, kKernel);
  EXPECT_EQ(cache.read({1, 2}), std::nullopt);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(DiskCacheTest, LeavesNoTemporaryFile) {
  cache.write(kKey, kKernel);
  EXPECT_THAT(folder.files(), ElementsAre(cache.path_of(kKey)));
}

TEST_F(DiskCacheTest, DropsAChangedEntryWithItsReason) {
  auto bytes = bytes_of_entry(kKey, kKernel);
  bytes.back() = 'x';
  overwrite(bytes);
  expect_dropped("its checksum does not match");
}

TEST_F(DiskCacheTest, DropsATruncatedEntry) {
  overwrite(bytes_of_entry(kKey, kKernel).substr(0, 80));
  expect_dropped("it has 8 bytes, expected 15");
}

TEST_F(DiskCacheTest, DropsAnEmptyFile) {
  overwrite("");
  expect_dropped("it has 0 bytes, fewer than a header");
}

TEST_F(DiskCacheTest, DropsAFileOfSomethingElse) {
  overwrite(std::string(100, 'x'));
  expect_dropped("it is no cache entry");
}

TEST_F(DiskCacheTest, DropsTheEntryOfAnotherKey) {
  overwrite(bytes_of_entry({7, 7}, kKernel));
  expect_dropped("it holds the kernel of another key");
}

TEST_F(DiskCacheTest, DropsAnEntryOfAnotherVersion) {
  auto bytes = bytes_of_entry(kKey, kKernel);
  bytes[8] = 99;
  overwrite(bytes);
  expect_dropped("its version is 99, expected 1");
}

TEST(DiskCache, WarnsOnceOfAFolderThatCannotBeWritten) {
  const Folder folder;
  std::ofstream(folder.path() + "/file") << "a file stands where the folder should be";
  std::vector<std::string> warnings;
  DiskCache cache(folder.path() + "/file/kernels", [&](const std::string& message) { warnings.push_back(message); });
  cache.write(kKey, kKernel);
  cache.write(kKey, kKernel);
  EXPECT_THAT(warnings, ElementsAre(testing::AllOf(HasSubstr("cannot be written"), HasSubstr("TORCHWELD_CACHE_DIR"))));
}

TEST(CacheFolder, IsTheChosenOneThenTheVariablesThenTheUsersCaches) {
  const Variable home("HOME", "/home/me");
  const Variable caches("XDG_CACHE_HOME", "");
  const Variable ours("TORCHWELD_CACHE_DIR", "");
  EXPECT_EQ(cache_folder(""), "/home/me/.cache/torchweld/kernels");
  const Variable other_caches("XDG_CACHE_HOME", "/caches");
  EXPECT_EQ(cache_folder(""), "/caches/torchweld/kernels");
  const Variable set("TORCHWELD_CACHE_DIR", "/kernels");
  EXPECT_EQ(cache_folder(""), "/kernels");
  EXPECT_EQ(cache_folder("/chosen"), "/chosen");
}

}  // namespace
}  // namespace torchweld::runtime
