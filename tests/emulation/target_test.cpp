#include <filesystem>
#include <regex>
#include <set>
#include <stdexcept>

#include "emulation/emulation.h"
#include "emulation/kernel_test.h"
#include "emulation/process.h"

namespace torchweld::emulation {
namespace {

namespace fs = std::filesystem;

std::set<std::string> names_in(const std::string& text, const std::regex& declaration) {
  std::set<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), declaration), end; at != end; ++at) names.insert((*at)[1]);
  return names;
}

const std::regex kFunction(R"(\nDEV [\w ]*?(\w+)\()"), kMacro(R"(\n#define (\w+))"),
    kType(R"(\n(?:typedef [\w ]* |struct )(\w+)[ ;])");

TEST(TargetEmulated, DefinesEveryNameOfTheTarget) {
  const fs::path root = TORCHWELD_SOURCE_DIR;
  if (!fs::exists(root / "codegen/prelude/target.cuh")) GTEST_SKIP() << "no sources in " << root;
  const std::string target = read_file(root / "codegen/prelude/target.cuh");
  const std::string emulated =
      read_file(root / "tests/emulation/target_emulated.h") + read_file(root / "tests/emulation/math_emulated.h");
  for (const std::regex& kind : {kFunction, kMacro, kType}) {
    std::set<std::string> wanted = names_in(target, kind);
    wanted.erase("dsmem_address");  // its only users are dsmem_load and dsmem_store
    const std::set<std::string> found = names_in(emulated, kind);
    EXPECT_GT(wanted.size(), 2u);
    for (const std::string& name : wanted) EXPECT_TRUE(found.contains(name)) << name << " is missing under emulation";
  }
}

TEST(PreludeWithoutTarget, KeepsTheLinesOfTheRest) {
  const Source rest = prelude_without_target("// first\nDEV float f();\n// types\n", "DEV float f();\n");
  EXPECT_EQ(rest.text, "// first\n\n// types\n");
  EXPECT_THROW(prelude_without_target("// types\n", "DEV float f();\n"), std::invalid_argument);
}

// The shared prelude must compile on the host as it is: plain C++ on top of target.cuh.
TEST_F(EmulationTest, CompilesTheSharedPreludeUnchanged) {
  const fs::path folder = fs::path(TORCHWELD_SOURCE_DIR) / "codegen/prelude";
  std::string shared;
  for (const char* name :
       {"types", "stored", "pack", "device_math", "math", "approximate", "states", "online", "reduce"})
    shared += read_file(folder / (std::string(name) + ".cuh"));
  const Source text{"k.cu", R"(extern "C" __global__ void row_sum(const bf16* __restrict__ x, bf16* __restrict__ out) {
  out[threadIdx.x] = from_register<bf16>(to_register(x[threadIdx.x]) + 1.0f);
})"};
  const Kernel kernel = compile({"prelude.cuh", shared}, {&text, 1}).front();
  Buffer x = buffer_of(std::vector<std::uint16_t>(32, 0x3f80)), out = output_of<std::uint16_t>(32);
  const Argument arguments[] = {pointer_to(x), pointer_to(out)};
  EXPECT_EQ(run(kernel, {.block = 32}, arguments), "");
  EXPECT_THAT(out.as<std::uint16_t>(), testing::Each(0x4000));
}

TEST_F(EmulationTest, APreludeFunctionOverloadsOneOfTheTarget) {
  const Source text{"k.cu",
                    "extern \"C\" __global__ void sizes(unsigned* out) { out[0] = sizeof(max_nan(1.0f, 2.0f)); }"};
  const Kernel kernel =
      compile({"prelude.cuh", "DEV double max_nan(double a, double b) { return a < b ? b : a; }\n"}, {&text, 1})
          .front();
  Buffer out = output_of<unsigned>(1);
  const Argument arguments[] = {pointer_to(out)};
  EXPECT_EQ(run(kernel, {}, arguments), "");
  EXPECT_THAT(out.as<unsigned>(), testing::ElementsAre(sizeof(float)));
}

}  // namespace
}  // namespace torchweld::emulation
