// Mutants of mapping turn the closed forms red that hold without them.
#include <doctest/doctest.h>

#include "core/mutation.h"
#include "test/native/support/mappingChecks.h"

using namespace understory;

namespace {

struct MappingMutation {
  explicit MappingMutation(std::string_view name) { setMutation(name); }
  ~MappingMutation() { setMutation("none"); }
};

}  // namespace

TEST_CASE("closed forms of maps hold without a mutation") {
  CHECK(registrationErrorM() < 0.006);
  CHECK(costAboutFalseAlarm() == 0);
  CHECK(sureCostFarAway() == 67);
}

TEST_CASE("one pose for a tick puts its last returns elsewhere") {
  const MappingMutation mutation("map-pose-of-tick");
  CHECK(registrationErrorM() > 0.5);
}

TEST_CASE("a false alarm that counts as ground makes level ground high about it") {
  const MappingMutation mutation("lone-returns-are-ground");
  CHECK(costAboutFalseAlarm() > 20);
}

TEST_CASE("without the margin of the tilt a far height costs all of it") {
  const MappingMutation mutation("map-without-margin");
  CHECK(sureCostFarAway() == 100);
}
