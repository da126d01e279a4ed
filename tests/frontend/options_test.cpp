#include "torchweld/options.h"

#include <gtest/gtest.h>

#include "torchweld/error.h"
#include "torchweld/option_rows.h"

namespace torchweld {
namespace {

std::string error_of(const std::map<std::string, std::string>& named) {
  try {
    (void)options_from_strings(named);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Options, KeepTheirDefaultsWhereNothingIsNamed) { EXPECT_EQ(options_from_strings({}), Options{}); }

TEST(Options, ComeBackFromTheirStrings) {
  Options options;
  options.device = FuseOn::cuda;
  options.numerics = Numerics::eager;
  options.mode = Mode::cached_only;
  options.inference = false;
  options.strict = true;
  options.min_region_nodes = 7;
  options.arch = "sm_90a";
  options.cache_dir = "a folder";
  EXPECT_EQ(options_from_strings(strings_from_options(options)), options);
}

TEST(Options, HaveARowEachThatTellsTheirDefault) {
  std::map<std::string, std::string> told;
  for (const OptionRow& row : option_rows()) told.emplace(row.name, row.default_value);
  EXPECT_EQ(told, strings_from_options(Options{}));
}

TEST(Options, NameWhatIsWrong) {
  EXPECT_EQ(error_of({{"numeric", "eager"}}),
            "options: 'numeric' is not an option, expected one of arch, cache_dir, device, inference, "
            "min_region_nodes, mode, numerics, strict");
  EXPECT_EQ(error_of({{"numerics", "f32"}}), "options: numerics is 'f32', expected one of fp32 eager");
  EXPECT_EQ(error_of({{"min_region_nodes", "2x"}}),
            "options: min_region_nodes is '2x', expected a whole number of at least 1");
  EXPECT_EQ(error_of({{"arch", "sm_90 -o /tmp/x"}}),
            "options: arch is 'sm_90 -o /tmp/x', expected a target such as sm_90, or nothing");
}

}  // namespace
}  // namespace torchweld
