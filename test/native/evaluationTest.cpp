// Metrics of Browning 2012, section 5, against closed forms: histograms, clouds, hits and misses, likelihoods (PHYSICS.md,
// 2.5).
#include <doctest/doctest.h>
#include <tbb/global_control.h>

#include <cmath>

#include "learn/cloudDistance.h"
#include "learn/evaluation.h"
#include "learn/logComparison.h"
#include "test/native/support/beams.h"

using namespace understory;

namespace {

constexpr double noReturn = std::numeric_limits<double>::quiet_NaN();

// A beam along x of a sensor at rest, in a column of its histogram.
void addAimed(Beams& beams, double rangeM, std::uint16_t laser, double azimuthDeg) {
  const bool isReturn = !std::isnan(rangeM);
  addBeam(beams, {0, 0, 0}, {1, 0, 0}, rangeM, isReturn ? BeamState::returned : BeamState::miss);
  beams.laser.push_back(laser);
  beams.azimuthRad.push_back(static_cast<float>(azimuthDeg * piRad / 180.0));
  beams.sweep.push_back(0);
}

void addMany(Beams& beams, std::size_t count, double rangeM, std::uint16_t laser,
             double azimuthDeg) {
  for (std::size_t at = 0; at < count; ++at) addAimed(beams, rangeM, laser, azimuthDeg);
}

double distanceOf(const Beams& one, const Beams& other) {
  const HistogramBins bins;
  return bhattacharyya(rangeHistogramOf(one, one.rangeM, 0, one.size(), bins),
                       rangeHistogramOf(other, other.rangeM, 0, other.size(), bins));
}

// A grid of 0.1 m on a plane across x at a range, seen from the origin.
Beams gridAt(double xM) {
  Beams beams;
  for (int left = -10; left <= 10; ++left) {
    for (int up = -10; up <= 10; ++up) {
      const Vec3d point{xM, 0.1 * left, 0.1 * up};
      addReturn(beams, {0, 0, 0}, point, length(point));
      beams.sweep.push_back(0);
    }
  }
  return beams;
}

LearnedModel ballAt(double xM, double sigmaM, double permeability, std::uint32_t support) {
  LearnedModel model;
  const auto variance = static_cast<float>(sigmaM * sigmaM);
  model.elements.meansM = {{static_cast<float>(xM), 0, 0}};
  model.elements.covariancesM2 = {{variance, 0, 0, variance, 0, variance}};
  model.elements.seen = {
      {static_cast<float>(permeability)}, {1}, {1}, {support}, {0.5F}, {0.0F}, {0}};
  return model;
}

}  // namespace

TEST_CASE("the distance of known histograms is -ln of the sum of roots") {
  Beams one;
  Beams other;
  addMany(one, 5, 1.000, 0, 10.0);
  addMany(one, 5, 1.002, 0, 10.0);
  addMany(other, 10, 1.000, 0, 10.0);
  CHECK(distanceOf(one, other) == doctest::Approx(-std::log(std::sqrt(0.5))));
  CHECK(distanceOf(one, one) == doctest::Approx(0.0));
  // A second column of another laser, without returns in both: half of the whole is the same.
  addMany(one, 10, noReturn, 1, 10.0);
  addMany(other, 10, noReturn, 1, 10.0);
  CHECK(distanceOf(one, other) == doctest::Approx(-std::log(0.5 * std::sqrt(0.5) + 0.5)));
}

TEST_CASE("no return is a bin of its own, and without a common bin the distance is infinite") {
  Beams passes;
  Beams returns;
  addMany(passes, 8, 2.0, 0, 0.0);
  addMany(passes, 2, noReturn, 0, 0.0);
  addMany(returns, 10, 2.0, 0, 0.0);
  CHECK(distanceOf(passes, returns) == doctest::Approx(-std::log(std::sqrt(0.8))));
  Beams farther;
  addMany(farther, 10, 3.0, 0, 0.0);
  CHECK(std::isinf(distanceOf(returns, farther)));
}

TEST_CASE("bins have their centres on the steps of the sensor") {
  Beams one;
  Beams other;
  // The float of 8.002 m lies below or above it; both sides round to one bin.
  addMany(one, 10, 8.0019995, 3, 0.09);
  addMany(other, 10, 8.0020005, 3, 0.0901);
  CHECK(distanceOf(one, other) == doctest::Approx(0.0));
}

TEST_CASE("equal laws have about (K - 1)/8 · (1/n + 1/m) between halves") {
  Beams beams;
  RandomStream random(3, RandomPurpose::pointing, 8);
  constexpr std::size_t bins = 20;
  constexpr std::size_t columns = 50;
  constexpr std::size_t perColumn = 2000;
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t at = 0; at < perColumn; ++at) {
      const double bin = std::floor(random.uniform(0.0, static_cast<double>(bins)));
      addAimed(beams, 5.0 + 0.002 * bin, 0, 0.09 * static_cast<double>(column));
    }
  }
  const HistogramHalves halves = halvesOf(beams, beams.rangeM, {});
  CHECK(halves.one.size() == halves.other.size());
  const double each = perColumn / 2.0;
  const double expected = (bins - 1) / 8.0 * (1.0 / each + 1.0 / each);
  // The relative standard error of a mean of 50 χ² of 19 degrees: √(2/19/50) = 0.046.
  CHECK(bhattacharyya(halves.one, halves.other) / expected == doctest::Approx(1.0).epsilon(0.19));
}

TEST_CASE("a sensor that stays where it is has many beams a column") {
  Beams beams;
  addMany(beams, 40, 1.0, 0, 0.0);
  CHECK(isStationary(beams, {}));
  addMany(beams, 1, 1.0, 0, 1.0);
  addMany(beams, 1, 1.0, 0, 2.0);
  CHECK_FALSE(isStationary(beams, {}));
  Beams moved;
  addMany(moved, 40, 1.0, 0, 0.0);
  moved.originM.back().x = 0.5F;
  CHECK_FALSE(isStationary(moved, {}));
}

TEST_CASE("two planes d apart are d apart, and the larger directed mean counts") {
  const double apartM = 0.04;
  const Beams one = gridAt(5.0);
  const Beams other = gridAt(5.0 + apartM);
  const auto ends = [](const Beams& beams) { return endsOf(beams, beams.rangeM, 0, beams.size()); };
  CHECK(cloudDistanceM(ends(one), ends(other), {}) ==
        doctest::Approx(apartM).epsilon(1e-5).scale(0));
  // Half of the points lack a partner: those are farther, the others are not.
  std::vector<Vec3f> few = ends(one);
  few.resize(1);
  const double there = cloudDistanceM(ends(one), few, {});
  double sum = 0.0;
  for (const Vec3f end : ends(one)) sum += static_cast<double>(length(end - few.front()));
  CHECK(there == doctest::Approx(sum / static_cast<double>(one.size())));
}

TEST_CASE("hits, misses and distances are those of their class and range") {
  Beams beams;
  OtherResult other;
  const auto add = [&](double logM, double otherM, std::uint16_t classId) {
    const bool isReturn = !std::isnan(logM);
    addBeam(beams, {0, static_cast<double>(beams.size()), 0}, {1, 0, 0}, logM,
            isReturn ? BeamState::returned : BeamState::miss);
    beams.classIds.push_back(isReturn ? classId : std::uint16_t{0});
    beams.sweep.push_back(0);
    other.rangesM.push_back(static_cast<float>(otherM));
  };
  add(3.0, 3.1, 1);
  add(3.0, noReturn, 1);
  add(15.0, 15.3, 2);
  add(noReturn, noReturn, 0);
  add(noReturn, noReturn, 0);
  add(noReturn, 30.0, 0);
  add(noReturn, noReturn, 0);
  const PairMetrics metrics = pairMetricsOf(beams, other, {"", "leaf", "wall"}, 120.0, {});
  CHECK(metrics.whole.beams == 7);
  CHECK(metrics.whole.hitsDetected == doctest::Approx(2.0 / 3.0));
  CHECK(metrics.whole.missesDetected == doctest::Approx(0.75));
  REQUIRE(metrics.classes.size() == 3);
  CHECK(metrics.classes[0].name == "leaf");
  CHECK(metrics.classes[0].counts.hitsDetected == doctest::Approx(0.5));
  // (0, 1) in the log has (0, 0) of the other 1.0 m beside it, 0.1 m behind.
  CHECK(metrics.classes[0].counts.cloudM ==
        doctest::Approx((0.1 + std::sqrt(1.0 + 0.01)) / 2.0).epsilon(1e-4));
  CHECK(metrics.classes[1].name == "wall");
  CHECK(metrics.classes[1].counts.cloudM == doctest::Approx(0.3).epsilon(1e-4));
  CHECK(metrics.classes[2].name.empty());
  CHECK(metrics.classes[2].counts.missesDetected == doctest::Approx(0.75));
  REQUIRE(metrics.ranges.size() == 2);
  CHECK(metrics.ranges[0].toM == 5.0);
  CHECK(metrics.ranges[0].counts.returns == 2);
  CHECK(metrics.ranges[1].fromM == 10.0);
  CHECK(metrics.histograms.logReturns[3] == 2);
  CHECK(metrics.histograms.otherReturns[30] == 1);
  CHECK(metrics.whole.behind == 0.0);
  other.rangesM[2] = 15.6F;
  CHECK(pairMetricsOf(beams, other, {}, 120.0, {}).whole.behind == doctest::Approx(1.0 / 3.0));
}

TEST_CASE("the likelihood of a beam is that of the mixture it meets, with its floor") {
  const double sigmaM = 0.1;
  const double passes = 0.25;
  const LearnedModel model = ballAt(5.0, sigmaM, passes, 50);
  Beams beams;
  addReturn(beams, {0, 0, 0}, {1, 0, 0}, 5.05);
  addMiss(beams, {0, 0, 0}, {1, 0, 0});
  beams.sweep = {0, 0};
  EvaluationOptions options;
  options.window = {1.0, 101.0};
  const Evaluation result = evaluateModel(model, beams, {}, options, {});
  const double density = 0.75 * std::exp(-0.125) / (sigmaM * std::sqrt(2.0 * piRad)) / 1000.0;
  const double ofReturn = -std::log(0.99 * density + 0.01 * 0.5 / 100000.0);
  const double ofMiss = -std::log(0.99 * passes + 0.01 * 0.5);
  CHECK(result.metrics.whole.negLogL == doctest::Approx((ofReturn + ofMiss) / 2.0).epsilon(1e-5));
  CHECK(result.metrics.whole.underSampled == 0.0);
  std::size_t counted = 0;
  for (const std::size_t count : result.metrics.histograms.likelihood) counted += count;
  CHECK(counted == 2);
}

TEST_CASE("drawn beams pass an element as often as its permeability says") {
  const LearnedModel model = ballAt(5.0, 0.1, 0.3, 4);
  Beams beams;
  constexpr std::size_t count = 20000;
  for (std::size_t at = 0; at < count; ++at) addMiss(beams, {0, 0, 0}, {1, 0, 0});
  beams.sweep.resize(count);
  EvaluationOptions options;
  options.window = {0.0, 100.0};
  options.rangeStepM = 0.002;
  const Evaluation result = evaluateModel(model, beams, {}, options, {});
  const double sigma = std::sqrt(0.3 * 0.7 / count);
  CHECK(std::abs(result.metrics.whole.missesDetected - 0.3) < 4.0 * sigma);
  CHECK(result.metrics.whole.underSampled == 1.0);
  for (const float rangeM : result.drawnM) {
    if (std::isnan(rangeM)) continue;
    const double steps = static_cast<double>(rangeM) / 0.002;
    CHECK(std::abs(steps - std::round(steps)) < 1e-3);
  }
}

TEST_CASE("a log against the same beams a step farther, and against a log elsewhere") {
  Beams one = gridAt(5.0);
  Beams farther = one;
  for (float& rangeM : farther.rangeM) rangeM += 0.02F;
  const LogComparison same = compareLogs(one, farther, {}, {}, 100.0, {}, {});
  CHECK(same.haveSameBeams);
  CHECK(same.metrics.whole.hitsDetected == 1.0);
  CHECK(same.cloudM == doctest::Approx(0.02).epsilon(1e-3).scale(0));
  CHECK(same.sweepM == same.cloudM);
  CHECK(std::isnan(same.metrics.whole.missesDetected));
  Beams elsewhere = gridAt(5.0);
  for (Vec3f& origin : elsewhere.originM) origin.x += 0.03F;
  const LogComparison other = compareLogs(one, elsewhere, {}, {}, 100.0, {}, {});
  CHECK_FALSE(other.haveSameBeams);
  CHECK(std::isnan(other.metrics.whole.hitsDetected));
  CHECK(other.cloudM == doctest::Approx(0.03).epsilon(1e-3).scale(0));
  CHECK(other.sweeps == 1);
  for (Vec3f& origin : elsewhere.originM) origin.x += 10.0F;
  CHECK(compareLogs(one, elsewhere, {}, {}, 100.0, {}, {}).sweeps == 0);
}

TEST_CASE("the floor of a log is the distance of its sweeps from each other") {
  Beams beams = gridAt(5.0);
  const Beams second = gridAt(5.01);
  for (std::size_t beam = 0; beam < second.size(); ++beam) {
    addReturn(beams, {0, 0, 0}, toDouble(second.direction[beam]),
              static_cast<double>(second.rangeM[beam]));
    beams.sweep.push_back(1);
  }
  const LogComparison floor = compareWithItself(beams, {}, {});
  CHECK(floor.sweeps == 1);
  CHECK(floor.sweepM == doctest::Approx(0.01).epsilon(1e-3).scale(0));
  CHECK(floor.cloudM == floor.sweepM);
  CHECK(std::isnan(floor.bhattacharyya));
}

TEST_CASE("metrics are the same on one thread and on several") {
  Beams beams;
  addSlab(beams, 1.5, 0.8, 30000);
  beams.sweep.resize(beams.size());
  const LearnedModel model = ballAt(0.7, 0.5, 0.3, 40);
  EvaluationOptions options;
  options.window = {0.0, 50.0};
  const auto judged = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return evaluateModel(model, beams, {}, options, {});
  };
  const Evaluation one = judged(1);
  const Evaluation four = judged(4);
  CHECK(one.metrics.whole.cloudM == four.metrics.whole.cloudM);
  CHECK(one.metrics.whole.negLogL == four.metrics.whole.negLogL);
  CHECK(one.sweepM == four.sweepM);
}
