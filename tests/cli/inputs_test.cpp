#include "cli/inputs.h"

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <filesystem>
#include <fstream>

#include "report/describe.h"
#include "torchweld/error.h"

namespace torchweld::cli {
namespace {

using report::describe;

std::vector<c10::IValue> made(std::initializer_list<std::string_view> texts, std::uint64_t seed = 0) {
  std::vector<InputSpec> specs;
  for (const std::string_view text : texts) specs.push_back(parse_input(text));
  return make_inputs(specs, seed);
}

TEST(MakeInputs, FollowsEachSpec) {
  const auto values = made({"f16[2,3]", "bool[4]", "16000", "0.5", "true"});
  EXPECT_EQ(describe(values[0]), "f16[2,3]");
  EXPECT_EQ(describe(values[1]), "bool[4]");
  EXPECT_EQ(values[2].toInt(), 16000);
  EXPECT_EQ(values[3].toDouble(), 0.5);
  EXPECT_TRUE(values[4].toBool());
}

TEST(MakeInputs, IntegersFillTheirRangeWithBothEnds) {
  const at::Tensor values = made({"i64[1000]:3..5"})[0].toTensor();
  EXPECT_EQ(values.min().item<std::int64_t>(), 3);
  EXPECT_EQ(values.max().item<std::int64_t>(), 5);
}

TEST(MakeInputs, TheSeedDecidesTheValues) {
  EXPECT_TRUE(made({"f32[8]"}, 1)[0].toTensor().equal(made({"f32[8]"}, 1)[0].toTensor()));
  EXPECT_FALSE(made({"f32[8]"}, 1)[0].toTensor().equal(made({"f32[8]"}, 2)[0].toTensor()));
}

class LoadInputs : public ::testing::Test {
protected:
  void SetUp() override {
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    path_ = (std::filesystem::temp_directory_path() / ("torchweld_inputs_" + test)).string();
  }
  void TearDown() override { std::filesystem::remove(path_); }
  void write(const std::vector<char>& bytes) const {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  [[nodiscard]] std::string refusal() const {
    try {
      return "loaded " + std::to_string(load_inputs(path_).size());
    } catch (const Error& error) {
      return error.what();
    }
  }
  std::string path_;
};

TEST_F(LoadInputs, ReadsATupleOfPickleSave) {
  write(torch::jit::pickle_save(c10::ivalue::Tuple::create({made({"f32[2,3]"})[0], 16000})));
  const auto values = load_inputs(path_);
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(describe(values[0]), "f32[2,3]");
  EXPECT_EQ(values[1].toInt(), 16000);
}

TEST_F(LoadInputs, NamesAMissingFile) {
  EXPECT_EQ(refusal(), "--inputs " + path_ + ": cannot be read, expected a file made by torch.save((x, y), path)");
}

TEST_F(LoadInputs, NamesATruncatedFile) {
  auto bytes = torch::jit::pickle_save(c10::ivalue::Tuple::create({made({"f32[64]"})[0]}));
  bytes.resize(bytes.size() / 2);
  write(bytes);
  EXPECT_EQ(refusal(),
            "--inputs " + path_ + ": not a whole file of torch.save, expected one made by torch.save((x, y), path)");
}

TEST_F(LoadInputs, SaysWhatItFoundInsteadOfATuple) {
  write(torch::jit::pickle_save(made({"f32[2]"})[0]));
  EXPECT_EQ(refusal(), "--inputs " + path_ +
                           ": holds f32[2], expected a tuple with one element per input, as in "
                           "torch.save((x, y), path)");
}

}  // namespace
}  // namespace torchweld::cli
