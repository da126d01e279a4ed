#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/environment.h"
#include "runtime/host_compiler.h"
#include "runtime/kernel_key.h"
#include "runtime/kernel_store.h"
#include "runtime/nvrtc.h"

namespace torchweld::runtime {
namespace {

using testing::HasSubstr;

/// out[0] = value
KernelSource host_source(const std::string& name, const std::string& value) {
  return {
      codegen::Backend::host, name,
      "extern \"C\" void " + name +
          "(const void* const* arguments, long long, long long) {\n  **static_cast<double* const*>(arguments[0]) = " +
          value + ";\n}\n",
      host_target()};
}

KernelSource cuda_source(const std::string& body) {
  return {codegen::Backend::cuda, "k", "extern \"C\" __global__ void k(float* x) {" + body + "}", "sm_90"};
}

double run(const LoadedKernel& kernel) {
  double out = 0;
  double* pointer = &out;
  const void* argument = &pointer;
  kernel.host_entry(&argument, 0, 1);
  return out;
}

FallbackReason reason_of(const std::function<void()>& call, std::string& message) {
  try {
    call();
  } catch (const CompileFailure& failure) {
    message = failure.what();
    return failure.reason();
  }
  return FallbackReason::off;
}

struct KernelStoreTest : testing::Test {
  Folder folder;
  CompilePool pool{4};
  std::vector<std::string> warnings;
  KernelStore store = make();

  KernelStore make() {
    return KernelStore(pool, [this](const std::string& message) { warnings.push_back(message); });
  }
};

TEST_F(KernelStoreTest, CompilesOnceThenTakesFromMemoryThenFromDisk) {
  const std::vector sources{host_source("one", "1.0")};
  EXPECT_EQ(store.get(sources, folder.path(), true)[0].origin, Origin::compiled);
  EXPECT_EQ(store.get(sources, folder.path(), true)[0].origin, Origin::memory);
  auto another_process = make();
  const auto kernels = another_process.get(sources, folder.path(), false);
  EXPECT_EQ(kernels[0].origin, Origin::disk);
  EXPECT_EQ(run(*kernels[0].kernel), 1.0);
}

TEST_F(KernelStoreTest, TellsKernelsOfOneNameApart) {
  const std::vector sources{host_source("same", "1.0"), host_source("same", "2.0"), host_source("other", "3.0")};
  const auto kernels = store.get(sources, folder.path(), true);
  EXPECT_EQ(run(*kernels[0].kernel), 1.0);
  EXPECT_EQ(run(*kernels[1].kernel), 2.0);
  EXPECT_EQ(run(*kernels[2].kernel), 3.0);
}

TEST_F(KernelStoreTest, CompilesATextOnceForEightThreads) {
  const std::vector sources{host_source("shared", "4.0")};
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { right += run(*store.get(sources, folder.path(), true)[0].kernel) == 4.0; });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 8);
  EXPECT_EQ(store.num_compiled(), 1u);
}

TEST_F(KernelStoreTest, NeverCompilesWhereOnlyCachesAreAllowed) {
  std::string message;
  EXPECT_EQ(
      reason_of([&] { (void)store.get(std::vector{host_source("absent", "1.0")}, folder.path(), false); }, message),
      FallbackReason::cached_only_miss);
  EXPECT_EQ(store.num_compiled(), 0u);
}

TEST_F(KernelStoreTest, TriesAgainAfterAFailure) {
  const std::vector sources{host_source("late", "1.0")};
  std::string message;
  EXPECT_EQ(reason_of([&] { (void)store.get(sources, folder.path(), false); }, message),
            FallbackReason::cached_only_miss);
  EXPECT_EQ(run(*store.get(sources, folder.path(), true)[0].kernel), 1.0);
}

TEST_F(KernelStoreTest, CompilesAgainWhatTheDiskHoldsMalformed) {
  const std::vector sources{host_source("broken", "5.0")};
  (void)store.get(sources, folder.path(), true);
  ASSERT_EQ(folder.files().size(), 1u);
  truncate(folder.files()[0].c_str(), 100);
  auto another_process = make();
  EXPECT_EQ(run(*another_process.get(sources, folder.path(), true)[0].kernel), 5.0);
  EXPECT_THAT(warnings, testing::ElementsAre(HasSubstr("the entry is dropped")));
}

TEST_F(KernelStoreTest, WorksWithoutAFolderItCanWrite) {
  const std::vector sources{host_source("unwritten", "6.0")};
  EXPECT_EQ(run(*store.get(sources, "/proc/no/such", true)[0].kernel), 6.0);
  EXPECT_THAT(warnings, testing::ElementsAre(HasSubstr("cannot be written")));
}

TEST(HostCompiler, SaysWhatToInstallWhereThereIsNone) {
  const Variable none("TORCHWELD_CXX", "/no/such/compiler");
  std::string message;
  EXPECT_EQ(reason_of([] { (void)compile_shared_object(std::vector{host_source("k", "1.0")}); }, message),
            FallbackReason::no_compiler);
  EXPECT_THAT(message, HasSubstr("install one (g++), or set TORCHWELD_CXX"));
}

TEST(HostCompiler, ShowsTheCompilersMessages) {
  std::string message;
  EXPECT_EQ(reason_of([] { (void)compile_shared_object(std::vector{host_source("k", "undeclared")}); }, message),
            FallbackReason::compile_failed);
  EXPECT_THAT(message, HasSubstr("undeclared"));
}

TEST(HostCompiler, TakesItsPathAsItIs) {
  const Variable odd("TORCHWELD_CXX", "c++; echo");
  EXPECT_EQ(find_host_compiler(), "");
}

TEST(Nvrtc, CompilesACubinAndReadsItsResourcesWithoutAGpu) {
  const auto compiled = compile_cubin(cuda_source("__shared__ float s[64]; s[threadIdx.x] = x[threadIdx.x]; "
                                                  "__syncthreads(); x[threadIdx.x] = s[63 - threadIdx.x];"));
  EXPECT_EQ(compiled.binary.substr(1, 3), "ELF");
  EXPECT_GT(compiled.resources.registers, 0);
  EXPECT_EQ(compiled.resources.shared_bytes, 256);
  EXPECT_EQ(compiled.resources.spill_bytes, 0);
}

TEST(Nvrtc, ShowsTheCompilersLog) {
  std::string message;
  EXPECT_EQ(reason_of([] { (void)compile_cubin(cuda_source("undeclared = 1;")); }, message),
            FallbackReason::compile_failed);
  EXPECT_THAT(message, HasSubstr("identifier \"undeclared\" is undefined"));
}

TEST(Nvrtc, ReadsSpillsFromTheLog) {
  EXPECT_EQ(
      resources_from_log("ptxas         .     88 bytes stack frame, 84 bytes spill stores, 92 bytes spill loads\n"
                         "ptxas info    : Used 255 registers, used 1 barriers, 1024 bytes smem, 400 bytes cmem[0]\n"),
      (Resources{255, 1024, 84}));
  EXPECT_EQ(resources_from_log("ptxas info    : Used 12 registers\n"), (Resources{12, 0, 0}));
}

TEST(KernelKey, DependsOnTextTargetAndBackend) {
  const auto key = key_of(host_source("k", "1.0"));
  EXPECT_EQ(key, key_of(host_source("k", "1.0")));
  EXPECT_NE(key, key_of(host_source("k", "2.0")));
  auto other = host_source("k", "1.0");
  other.target += "x";
  EXPECT_NE(key, key_of(other));
  other = host_source("k", "1.0");
  other.backend = codegen::Backend::cuda;
  EXPECT_NE(key, key_of(other));
  EXPECT_EQ(text_of(KernelKey{1, 0xabc}), "00000000000000010000000000000abc");
}

}  // namespace
}  // namespace torchweld::runtime
