#include "cli/input_spec.h"

#include <gtest/gtest.h>

#include "torchweld/error.h"

namespace torchweld::cli {
namespace {

using graph::DType;

InputSpec tensor(DType dtype, graph::Dims sizes, std::int64_t low = 0, std::int64_t high = 1) {
  return TensorSpec{dtype, std::move(sizes), low, high};
}

/// The message that parsing `text` fails with.
std::string refusal(std::string_view text) {
  try {
    return "parsed as " + to_text(parse_input(text));
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(InputSpec, ReadsDTypeAndSizes) {
  EXPECT_EQ(parse_input("f32[1,512]"), tensor(DType::f32, {1, 512}));
  EXPECT_EQ(parse_input("bf16[0]"), tensor(DType::bf16, {0}));
  EXPECT_EQ(parse_input("bool[3]"), tensor(DType::b8, {3}));
}

TEST(InputSpec, NoSizesMakeATensorOfNoDims) { EXPECT_EQ(parse_input("f64[]"), tensor(DType::f64, {})); }

TEST(InputSpec, ReadsARangeWithBothEndsIncluded) {
  EXPECT_EQ(parse_input("i64[2,77]:0..30521"), tensor(DType::i64, {2, 77}, 0, 30521));
  EXPECT_EQ(parse_input("i8[4]:-128..127"), tensor(DType::i8, {4}, -128, 127));
}

TEST(InputSpec, IntegersAreZeroOrOneByDefault) { EXPECT_EQ(parse_input("i64[2]"), tensor(DType::i64, {2}, 0, 1)); }

TEST(InputSpec, ReadsNumbersAndFlags) {
  EXPECT_EQ(parse_input("16000"), InputSpec(std::int64_t{16000}));
  EXPECT_EQ(parse_input("-3"), InputSpec(std::int64_t{-3}));
  EXPECT_EQ(parse_input("0.5"), InputSpec(0.5));
  EXPECT_EQ(parse_input("1e-3"), InputSpec(1e-3));
  EXPECT_EQ(parse_input("true"), InputSpec(true));
  EXPECT_EQ(parse_input("false"), InputSpec(false));
}

TEST(InputSpec, TextIsWhatWasTyped) {
  for (const char* text : {"f32[1,512]", "i64[2,77]:0..30521", "f16[]", "16000", "0.5", "true"})
    EXPECT_EQ(to_text(parse_input(text)), text);
}

TEST(InputSpec, NamesTheUnknownDType) {
  EXPECT_EQ(refusal("float[2]"),
            "--input 'float[2]': dtype is 'float', expected one of f64 f32 f16 bf16 i64 i32 i16 i8 u8 bool");
}

TEST(InputSpec, NamesTheMalformedSize) {
  EXPECT_EQ(refusal("f32[1,x]"), "--input 'f32[1,x]': size 1 is 'x', expected a whole number of 0 or more");
  EXPECT_EQ(refusal("f32[1,]"), "--input 'f32[1,]': size 1 is '', expected a whole number of 0 or more");
  EXPECT_EQ(refusal("f32[-2]"), "--input 'f32[-2]': size 0 is '-2', expected a whole number of 0 or more");
}

TEST(InputSpec, WantsTheClosingBracket) {
  EXPECT_EQ(refusal("f32[1,2"), "--input 'f32[1,2': no ']' after the sizes, expected f32[1,512]");
  EXPECT_EQ(refusal("f32[1]x"), "--input 'f32[1]x': 'x' after the sizes, expected nothing or a range such as :0..9");
}

TEST(InputSpec, RefusesRangesThatHoldNothingOrDoNotFit) {
  EXPECT_EQ(refusal("i64[2]:7"), "--input 'i64[2]:7': range is '7', expected low..high, such as 0..30521");
  EXPECT_EQ(refusal("i64[2]:9..3"), "--input 'i64[2]:9..3': range is '9..3', expected its low end first");
  EXPECT_EQ(refusal("u8[2]:0..256"), "--input 'u8[2]:0..256': range is '0..256', expected values of u8: 0..255");
  EXPECT_EQ(refusal("f32[2]:0..1"),
            "--input 'f32[2]:0..1': range '0..1' on f32, expected none: floats are normal random values");
}

TEST(InputSpec, SaysWhichFormsThereAre) {
  EXPECT_EQ(refusal("hello"),
            "--input 'hello': expected a tensor such as f32[1,512] or i64[2,77]:0..30521, a number, true or false");
  EXPECT_EQ(refusal(""),
            "--input '': expected a tensor such as f32[1,512] or i64[2,77]:0..30521, a number, true or false");
}

}  // namespace
}  // namespace torchweld::cli
