// Mutants of learned models turn the closed forms red that hold without them.
#include <doctest/doctest.h>

#include "core/mutation.h"
#include "test/native/support/figureTwo.h"
#include "test/native/support/learnedChecks.h"
#include "test/native/support/transmission.h"

using namespace understory;

namespace {

struct LearnedMutation {
  explicit LearnedMutation(std::string_view name) { setMutation(name); }
  ~LearnedMutation() { setMutation("none"); }
};

}  // namespace

TEST_CASE("closed forms of learned models hold without a mutation") {
  CHECK(std::abs(transmissionOf({}, 1.0).error()) < 3.0);
  CHECK(fitOf({}, 0.0, 1.0).ks < 1.95);
  CHECK(firstByMean() == 1.0);
  CHECK(truncationErrorM() < 1e-6);
  CHECK(noiseOf(0.05).elementSigmaM == 0.0);
  for (const CountingRule rule : {CountingRule::owner, CountingRule::ellipsoid}) {
    CHECK(figureTwoBy(rule).left == 0.25);
    CHECK(figureTwoBy(rule).right == 0.0);
  }
  CHECK(std::abs(screenTransmission() - 0.7) < 0.02);
  CHECK(std::abs(slabDepthRatio() - 1.0) < 0.06);
  CHECK(permeabilityBeyondSecondSensor() == 0.0);
}

TEST_CASE("elements drawn by sub-ray pass too little") {
  const LearnedMutation mutation("elements-by-ray");
  CHECK(std::abs(transmissionOf({}, 1.0).error()) > 5.0);
}

TEST_CASE("elements in order of their centres end pulses on the wrong one") {
  const LearnedMutation mutation("elements-by-centre");
  CHECK(firstByMean() == 0.0);
}

TEST_CASE("one draw for all pulses gives no mixture") {
  const LearnedMutation mutation("one-draw-for-all-pulses");
  CHECK(fitOf({}, 0.0, 1.0).ks > 5.0);
}

TEST_CASE("ranges that are drawn again are not the inverse of the truncated law") {
  const LearnedMutation mutation("ranges-redrawn");
  CHECK(truncationErrorM() > 1e-3);
}

TEST_CASE("noise of the sensor shows on elements") {
  const LearnedMutation mutation("noise-on-elements");
  CHECK(noiseOf(0.05).elementSigmaM == doctest::Approx(0.05).epsilon(0.1));
}

TEST_CASE("beams that end before an element and are counted as its misses make it permeable") {
  const LearnedMutation mutation("early-ends-as-misses");
  // The three that end in the left ellipse have not observed the right one.
  for (const CountingRule rule : {CountingRule::owner, CountingRule::ellipsoid}) {
    CHECK(figureTwoBy(rule).left == 0.25);
    CHECK(figureTwoBy(rule).right == 0.75);
  }
}

TEST_CASE("elements that are flat by an absolute length make foliage in small voxels too dense") {
  const LearnedMutation mutation("flat-by-length");
  CHECK(slabDepthRatio() > 1.3);
}

TEST_CASE("flat elements that are hit by every return they hold make screens too dense") {
  const LearnedMutation mutation("screens-by-ellipsoid");
  CHECK(screenTransmission() < 0.6);
}

TEST_CASE("beams that pass up to the greatest range of all logs make what lies behind permeable") {
  const LearnedMutation mutation("greatest-range-of-all-logs");
  CHECK(permeabilityBeyondSecondSensor() == doctest::Approx(0.75));
}
