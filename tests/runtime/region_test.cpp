#include "runtime/region.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/export.h>
#include <torch/csrc/jit/serialization/import.h>

#include <sstream>

#include "runtime/region_body.h"
#include "runtime/region_state.h"
#include "runtime/regions.h"
#include "torchweld/error.h"

namespace torchweld::runtime {
namespace {

using testing::HasSubstr;

RegionState full_state() {
  RegionState state;
  state.text = kAddRelu;
  state.lines = {"model.py:3:9", "model.py:4:9"};
  state.node_lines = {-1, 0, 1};
  state.weights = {false, true};
  state.options.numerics = Numerics::eager;
  state.options.strict = true;
  return state;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Region, KeepsItsStateThroughSaveAndLoadOfAModule) {
  torch::jit::Module module("m");
  module.register_attribute("region", region_type(), make_region(full_state()));
  std::stringstream file;
  module.save(file);
  const auto loaded = torch::jit::load(file).attr("region").toCustomClass<Region>();
  EXPECT_EQ(loaded->state(), full_state());
}

TEST(Region, KeepsItsStateThroughDeepCopy) {
  torch::jit::Module module("m");
  module.register_attribute("region", region_type(), make_region(full_state()));
  EXPECT_EQ(module.deepcopy().attr("region").toCustomClass<Region>()->state(), full_state());
}

TEST(Region, SharesTheParsedGraphOfEqualTexts) {
  const auto first = make_region(full_state());
  const auto second = make_region(full_state());
  EXPECT_EQ(&first->body(), &second->body());
}

TEST(Region, PlansDependOnTextAndNumericsButNotOnStrict) {
  auto other = full_state();
  other.options.strict = false;
  EXPECT_EQ(make_region(full_state())->plan_key(), make_region(other)->plan_key());
  other.options.numerics = Numerics::fp32;
  EXPECT_NE(make_region(full_state())->plan_key(), make_region(other)->plan_key());
}

TEST(Region, RefusesTextThatIsNoTorchScript) {
  EXPECT_THAT(message_of([] { (void)region_of("graph(%x : Tensor): nonsense"); }),
              HasSubstr("region: its text is not TorchScript IR"));
}

TEST(Region, RefusesANumberBeforeATensor) {
  constexpr auto kText = "graph(%n : int, %x : Tensor):\n  %y : Tensor = aten::relu(%x)\n  return (%y)";
  EXPECT_EQ(message_of([] { (void)region_of(kText); }),
            "region: input %x is a tensor after a number, expected tensors first");
}

c10::IValue with_field(std::size_t index, c10::IValue value) {
  auto fields = saved_from_state(full_state()).toTupleRef().elements().vec();
  fields.at(index) = std::move(value);
  return c10::ivalue::Tuple::create(std::move(fields));
}

TEST(RegionState, RefusesANewerVersion) {
  EXPECT_EQ(message_of([] { (void)state_from_saved(with_field(0, kStateVersion + 1)); }),
            "region state: the version is 2, expected at most 1: load the file with a newer torchweld");
}

TEST(RegionState, RefusesANewerVersionEvenWhereFieldsDiffer) {
  const auto saved = c10::ivalue::Tuple::create(kStateVersion + 1, std::string("region"), 1.5);
  EXPECT_THAT(message_of([&] { (void)state_from_saved(saved); }), HasSubstr("the version is 2"));
}

TEST(RegionState, RefusesAnotherKind) {
  EXPECT_EQ(message_of([] { (void)state_from_saved(with_field(1, std::string("forward"))); }),
            "region state: the kind is 'forward', expected 'region'");
}

TEST(RegionState, RefusesAMalformedFieldByName) {
  EXPECT_EQ(message_of([] { (void)state_from_saved(with_field(3, 7)); }),
            "region state: field 'lines' is malformed, expected the form of version 1");
  EXPECT_THAT(message_of([] { (void)state_from_saved(c10::IValue(1)); }), HasSubstr("'version' is malformed"));
}

}  // namespace
}  // namespace torchweld::runtime
