// The law of a line through a learned model, where models are judged and where they are scanned: the same draws, the same
// ends of elements (PHYSICS.md, 2.5 and 2.6).
#include <doctest/doctest.h>

#include <random>

#include "core/learned/elementShape.h"
#include "learn/gaussians.h"
#include "learn/learnedLines.h"
#include "test/native/support/learnedChecks.h"

using namespace understory;

namespace {

double unitShareOf(std::mt19937& random) { return static_cast<double>(random()) / 4294967296.0; }

float between(std::mt19937& random, double from, double to) {
  return static_cast<float>(from + (to - from) * unitShareOf(random));
}

Symmetric3f randomCovariance(std::mt19937& random, double least) {
  // L L' of a random lower triangle.
  const float a = between(random, least, 0.3);
  const float b = between(random, -0.2, 0.2);
  const float c = between(random, least, 0.3);
  const float d = between(random, -0.2, 0.2);
  const float e = between(random, -0.2, 0.2);
  const float f = between(random, least, 0.3);
  return {a * a, a * b, a * d, b * b + c * c, b * d + c * e, d * d + e * e + f * f};
}

// Elements around the sensor, and permeable slanted triangles among them.
LearnedModel thicket() {
  std::mt19937 random(21);
  LearnedModel model;
  model.surfaceSigmaM = 0.02;
  model.incidenceSigmaM = 0.002;
  for (int number = 0; number < 150; ++number) {
    addElement(model, {between(random, 1, 10), between(random, -8, 8), between(random, -1, 1)},
               0.1F, between(random, 0.5, 1));
    model.elements.covariancesM2.back() = randomCovariance(random, 0.02);
    if (number % 7 == 0) model.elements.seen.support.back() = 4;
  }
  for (int number = 0; number < 40; ++number) {
    const Vec3f at{between(random, 4, 9), between(random, -7, 7), 0.0F};
    const Vec3f along{between(random, -0.5, 0.5), between(random, 0.5, 1.5), 0.0F};
    addTriangle(model, at - along + Vec3f{0.0F, 0.0F, -1.0F}, at + along + Vec3f{0.0F, 0.0F, -1.0F},
                at + Vec3f{0.0F, 0.0F, 1.5F}, between(random, 0, 0.9));
  }
  return model;
}

SensorRecipe lineSensor() {
  SensorRecipe sensor = fastBeam(0.0, 0.9);
  sensor.returns.rangeResolutionM = 0.0;
  sensor.returns.mode = ReturnMode::strongest;
  return sensor;
}

}  // namespace

TEST_CASE("a model is judged by the ranges that a scan draws") {
  const LearnedModel model = thicket();
  SceneMaker maker;
  maker.material(0.5F);
  maker.place(maker.learned(model), {});
  const auto scene = maker.build();
  ScanJob job = standingJob(lineSensor(), {}, 0.4);
  job.withMisses = true;
  job.seed = 77;
  const ScanTable table = scanAll(*scene, job);
  REQUIRE(table.rows == 4000);
  const LearnedLines lines(model);
  std::vector<MetMember> met;
  std::size_t same = 0;
  std::size_t returns = 0;
  std::size_t cut = 0;  // ranges that end at a triangle before the range of their element
  for (std::size_t row = 0; row < table.rows; ++row) {
    const double azimuthRad = table.real(ReturnColumn::azimuthRad, row);
    const Vec3f axis = toFloat({std::cos(azimuthRad), std::sin(azimuthRad), 0.0});
    lines.meet({}, axis, job.sensor.maxRangeM, met);
    const DrawnRange drawn =
        drawRange(met, job.seed, table.at<std::uint64_t>(ReturnColumn::pulse, row),
                  {job.sensor.minRangeM, job.sensor.maxRangeM});
    const double rangeM = table.real(ReturnColumn::rangeM, row);
    const bool isNone = std::isnan(rangeM);
    same += isNone == std::isnan(drawn.rangeM) && (isNone || std::abs(rangeM - drawn.rangeM) < 1e-3)
                ? 1U
                : 0U;
    if (isNone) continue;
    ++returns;
    for (const MetMember& member : met) {
      cut += table.at<std::uint8_t>(ReturnColumn::learnedPart, row) == 2 && member.isSurface &&
                     std::abs(member.rangeM - rangeM) < 1e-5
                 ? 1U
                 : 0U;
    }
  }
  CHECK(returns > 2000);
  CHECK(returns < 4000);
  CHECK(cut > 0);
  // The one computes in double, the other in single precision: a line may barely pierce an element.
  CHECK(same + 8 >= table.rows);
}

TEST_CASE("an element is flat by its shape, at any size") {
  std::mt19937 random(3);
  std::size_t flat = 0;
  for (int number = 0; number < 2000; ++number) {
    const Symmetric3f covariance = randomCovariance(random, 0.002);
    Symmetric3 exact{};
    std::ranges::copy(covariance, exact.begin());
    const auto& [least, middle, most] = principalAxes(exact).variancesM2;
    const double share = least / (least + middle + most);
    const double ratio = middle / most;
    // Not where it is a matter of rounding, or of what the least variance adds to the sum.
    if (std::abs(share - 0.02) < 1e-4 || (ratio > 0.07 && ratio < 0.101)) continue;
    const bool isFlat = share < 0.02 && ratio > 0.1;
    CHECK(isFlatElement(covariance) == isFlat);
    CHECK(elementLimit(covariance, CountingRule::owner, 2.0) == (isFlat ? 3.5 : 2.0));
    CHECK(elementLimit(covariance, CountingRule::ellipsoid, 2.0) == 2.0);
    Symmetric3f larger = covariance;
    for (float& part : larger) part *= 900.0F;
    CHECK(isFlatElement(larger) == isFlat);
    flat += isFlat ? 1 : 0;
  }
  CHECK(flat > 300);
  CHECK(flat < 1700);
}

TEST_CASE("flat elements end at 3.5 by owner in scans, too") {
  for (const CountingRule counting : {CountingRule::owner, CountingRule::ellipsoid}) {
    LearnedModel model;
    model.mahalanobisLimit = 2.0;
    model.counting = counting;
    model.surfaceSigmaM = 0.01;
    // A tile 5 m ahead, met three standard deviations beside its centre.
    addElement(model, {5.0F, 0.3F, 0.0F}, 0.1F, 0.0F);
    model.elements.covariancesM2[0] = {0.0001F, 0.0F, 0.0F, 0.01F, 0.0F, 0.01F};
    SceneMaker maker;
    maker.material(0.5F);
    maker.place(maker.learned(model), {});
    SensorRecipe sensor = lineSensor();
    sensor.scan.minAzimuthRad = sensor.scan.maxAzimuthRad = 0.0;
    const ScanTable table = scanAll(*maker.build(), standingJob(sensor, {}, 0.01));
    CHECK(table.rows == (counting == CountingRule::owner ? 100U : 0U));
  }
}

TEST_CASE("of surfaces behind an element the nearest that ends light limits its range") {
  SceneMaker maker;
  const auto grey = maker.material(0.5F);
  const auto gauze = maker.material(gauzeMaterial(0.5, 0.6));
  maker.place(maker.model(wallMesh(2.0F, 1, gauze)), {9.95, 0.0, 0.0});
  maker.place(maker.model(wallMesh(2.0F, 1, grey)), {10.0, 0.0, 0.0});
  LearnedModel model;
  addElement(model, {9.9F, 0.0F, 0.0F}, 0.3F, 0.0F);
  maker.place(maker.learned(std::move(model)), {});
  const auto scene = maker.build();
  SensorRecipe sensor = lineSensor();
  sensor.scan.minAzimuthRad = sensor.scan.maxAzimuthRad = 0.0;
  const ScanTable table = scanAll(*scene, standingJob(sensor, {}, 1.0));
  double atWall = 0.0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    // Why not exactly: Embree divides by reciprocals of the processor's own.
    CHECK(table.real(ReturnColumn::rangeM, row) < 10.00001);
    atWall += table.real(ReturnColumn::rangeM, row) > 9.99999 ? 1.0 : 0.0;
  }
  // A gauze ends nothing: the tail of the law beyond the wall is at the wall.
  const double count = 10'000.0;
  const double tail = 1.0 - normalIntegral(0.1 / 0.3);
  REQUIRE(table.rows == 10'000);
  CHECK(std::abs(atWall - tail * count) < 3.3 * std::sqrt(count * tail * (1.0 - tail)));
}
