// Pulses through learned models: closed forms of permeability and range, order, energy, noise, detection. What lines meet
// is in learnedTreesTest.cpp.
#include <doctest/doctest.h>

#include "learn/learnedLines.h"
#include "pulses/learnedContext.h"
#include "test/native/support/learnedChecks.h"
#include "test/native/support/motions.h"
#include "test/native/support/refusals.h"

using namespace understory;

namespace {

bool isSameTable(const ScanTable& a, const ScanTable& b) {
  return a.rows == b.rows && a.bytes == b.bytes;
}

// A scene of a learned surface of one permeability 10 m ahead, and a wall behind it.
std::unique_ptr<const TracedScene> screenScene(float permeability, double sigmaM) {
  SceneMaker maker;
  const auto grey = maker.material(0.6F);
  maker.place(maker.model(wallMesh(3.0F, 1, grey)), {15.0, 0.0, 0.0});
  LearnedModel screen;
  screen.surfaceSigmaM = sigmaM;
  addTriangle(screen, {0.0F, -3.0F, -3.0F}, {0.0F, 3.0F, -3.0F}, {0.0F, 0.0F, 4.0F}, permeability,
              0.3F);
  maker.place(maker.learned(std::move(screen)), {10.0, 0.0, 0.0});
  return maker.build();
}

}  // namespace

TEST_CASE("a pulse of nine rays passes layers with the product of their permeabilities") {
  for (const double spotM : {0.0, 0.02, 0.1}) {
    Layers layers;
    layers.spotM = spotM;
    const Transmission found = transmissionOf(layers);
    INFO("spot ", spotM, " m: passed ", found.passed, " expected ", found.expected, " of ",
         found.pulses);
    CHECK(found.pulses == 20'000.0);
    CHECK(found.expected / found.pulses > 0.4);
    CHECK(found.expected / found.pulses < 0.9);
    CHECK(std::abs(found.error()) < 3.0);
    CHECK(found.worstShareSum < 1e-6);
    // One law of energy over both kinds.
    CHECK(found.wallEnergy / found.passed ==
          doctest::Approx(found.expectedEnergy / found.expected).epsilon(1e-3));
    CHECK(std::abs(found.wallEnergy - found.expectedEnergy) <
          3.0 * 0.6 * std::sqrt(found.variance));
  }
}

TEST_CASE("a layer of permeability 0.8 passes 0.8 for every spot") {
  for (const double spotM : {0.0125, 0.05, 0.1}) {
    Layers layers;
    layers.spotM = spotM;
    layers.sigmaM = 0.05F;  // wide elements: every line pierces several
    const Transmission found = transmissionOf(layers, 1.0);
    CHECK(std::abs(found.error()) < 3.0);
  }
}

TEST_CASE("ranges follow the mixture of the elements on the line, misses included") {
  for (const double divergenceRad : {0.0, 0.003}) {
    const MixtureFit fit = fitOf({}, divergenceRad);
    INFO("sqrt(n) D = ", fit.ks, ", misses ", fit.noneError);
    CHECK(fit.ks < 1.95);  // p = 1e-3
    CHECK(std::abs(fit.noneError) < 3.3);
  }
  const RangeMixture mixture;
  CHECK(mixture.below(100.0) + mixture.none() == doctest::Approx(1.0));
}

TEST_CASE("elements stand in order of their means on the line") { CHECK(firstByMean() == 1.0); }

TEST_CASE("ranges are the inverse of the truncated law") { CHECK(truncationErrorM() < 1e-6); }

TEST_CASE("neither threads, chunks nor the path through the code change a byte") {
  const Layers layers;
  ScanJob job = layers.job(0.3);
  const ScanTable two = scanAll(*layers.scene(2), job);
  const auto one = layers.scene(1);
  CHECK(isSameTable(two, scanAll(*one, job)));
  job.chunkPulses = 100;
  CHECK(isSameTable(two, scanAll(*one, job)));
  job.alwaysFollowsPaths = true;
  const ScanTable paths = scanAll(*one, job);
  REQUIRE(paths.rows == two.rows);
  for (std::size_t column = 0; column < two.names.size(); ++column) {
    INFO(infoOf(two.names[column]).name);
    CHECK(paths.bytes[column] == two.bytes[column]);
  }
}

TEST_CASE("elements alone, the fast path reports what whole paths do") {
  SceneMaker maker;
  maker.material(0.5F);
  LearnedModel model = randomElements(300);
  model.sensor.reset();
  for (std::size_t index = 0; index < model.elements.size(); index += 3) {
    model.elements.seen.reflectanceSigma[index] = 0.2F;
    model.elements.seen.reflectance[index] = index % 2 == 0 ? 0.1F : 0.0F;
  }
  maker.place(maker.learned(std::move(model)), {0.0, 0.0, 0.1});
  const auto scene = maker.build();
  SensorRecipe sensor = fastBeam(0.02, 1.2);
  sensor.returns.rangeResolutionM = 0.0;
  sensor.returns.mode = ReturnMode::strongest;
  sensor.minRangeM = 1.0;
  sensor.maxRangeM = 8.0;
  for (const bool hasAllColumns : {false, true}) {
    ScanJob job = standingJob(sensor, {}, 0.5);
    job.withMisses = true;
    // With these columns lines are not reported by themselves.
    std::erase_if(job.columns, [&](ReturnColumn column) {
      const bool isOfPaths = column == ReturnColumn::support || column == ReturnColumn::snr ||
                             column == ReturnColumn::echoWidthM ||
                             column == ReturnColumn::amplitude ||
                             column == ReturnColumn::intensityClean;
      return isOfPaths && !hasAllColumns;
    });
    const ScanTable fast = scanAll(*scene, job);
    job.alwaysFollowsPaths = true;
    const ScanTable paths = scanAll(*scene, job);
    REQUIRE(paths.rows == fast.rows);
    CHECK(fast.totals.returns > 1000);
    CHECK(fast.totals.returns < 4500);
    CHECK(fast.totals.hits == paths.totals.hits);
    for (std::size_t column = 0; column < fast.names.size(); ++column) {
      INFO(infoOf(fast.names[column]).name);
      CHECK(paths.bytes[column] == fast.bytes[column]);
    }
  }
}

TEST_CASE("a part of an interval gives the rows of the whole") {
  const Layers layers;
  const auto scene = layers.scene();
  ScanJob job = layers.job(0.2);
  const ScanTable whole = scanAll(*scene, job);
  job.interval.fromNs = 100'000'000;
  const ScanTable part = scanAll(*scene, job);
  REQUIRE(part.rows < whole.rows);
  const std::size_t skipped = whole.rows - part.rows;
  for (std::size_t row = 0; row < part.rows; ++row) {
    REQUIRE(part.real(ReturnColumn::rangeM, row) ==
            whole.real(ReturnColumn::rangeM, skipped + row));
  }
}

TEST_CASE("range noise of a sensor acts on meshes only") {
  const NoiseOf noise = noiseOf(0.05);
  CHECK(noise.elementSigmaM == 0.0);
  CHECK(noise.wallSigmaM / 0.05 == doctest::Approx(1.0).epsilon(0.04));
}

TEST_CASE("a permeable surface passes whole pulses, and has noise of its own") {
  const auto scene = screenScene(0.3F, 0.02);
  ScanJob job = standingJob(strongestBeam(0.01), {}, 1.0);
  for (const bool alwaysFollowsPaths : {false, true}) {
    job.alwaysFollowsPaths = alwaysFollowsPaths;
    const ScanTable table = scanAll(*scene, job);
    REQUIRE(table.rows == 10'000);
    double passed = 0.0;
    double squares = 0.0;
    for (std::size_t row = 0; row < table.rows; ++row) {
      // All nine rays end on the same: a pulse draws once for a triangle.
      CHECK(table.real(ReturnColumn::beamShare, row) == doctest::Approx(1.0));
      if (table.at<std::uint8_t>(ReturnColumn::learnedPart, row) == 0) {
        CHECK(table.real(ReturnColumn::rangeM, row) > 14.9);
        passed += 1.0;
        continue;
      }
      CHECK(table.at<std::uint32_t>(ReturnColumn::support, row) == 50);
      CHECK(table.real(ReturnColumn::intensity, row) / 0.3 == doctest::Approx(1.0).epsilon(1e-4));
      const double errorM =
          table.real(ReturnColumn::rangeM, row) - table.real(ReturnColumn::rangeCleanM, row);
      squares += errorM * errorM;
    }
    CHECK(std::abs(passed - 3000.0) < 3.0 * std::sqrt(10'000.0 * 0.3 * 0.7));
    CHECK(std::sqrt(squares / (10'000.0 - passed)) / 0.02 == doctest::Approx(1.0).epsilon(0.04));
  }
}

TEST_CASE("of an element before a triangle the shorter range is returned, as the element") {
  SceneMaker maker;
  const auto grey = maker.material(0.5F);
  maker.place(maker.model(wallMesh(2.0F, 1, grey)), {10.0, 0.0, 0.0});
  LearnedModel model;
  addElement(model, {9.9F, 0.0F, 0.0F}, 0.3F, 0.0F);
  maker.place(maker.learned(std::move(model)), {});
  const auto scene = maker.build();
  const ScanTable table = scanAll(*scene, standingJob(strongestBeam(0.0), {}, 1.0));
  double atWall = 0.0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    CHECK(table.at<std::uint8_t>(ReturnColumn::learnedPart, row) == 2);
    CHECK(table.real(ReturnColumn::rangeM, row) < 10.00001);
    atWall += table.real(ReturnColumn::rangeM, row) > 9.99999 ? 1.0 : 0.0;
  }
  // The law has the tail beyond the wall as a mass at it.
  const double tail = 1.0 - normalIntegral(0.1 / 0.3);
  const double count = 10'000.0;
  CHECK(std::abs(atWall - tail * count) < 3.3 * std::sqrt(count * tail * (1.0 - tail)));
}

TEST_CASE("a hit on an element passes the limit of the sensor it was learned with") {
  SensorRecipe sensor = fastBeam(0.0);
  sensor.returns.rangeResolutionM = 0.1;
  sensor.returns.detection = DetectionRecipe{0.1, 50.0, 0.5, 0.0};
  for (const bool isOwn : {false, true}) {
    SceneMaker maker;
    maker.material(0.5F);
    LearnedModel model;
    addElement(model, {80.0F, 0.0F, 0.0F}, 0.2F, 0.0F, 0.02F);
    if (isOwn) {
      model.sensor =
          LearnedSensor{"own", 0.0, 100.0, LearnedSensor::Detection{0.1, 50.0, 0.5, 0.0}};
    }
    maker.place(maker.learned(std::move(model)), {});
    const auto scene = maker.build();
    ScanJob job = standingJob(sensor, {}, 0.1);
    for (const bool alwaysFollowsPaths : {false, true}) {
      job.alwaysFollowsPaths = alwaysFollowsPaths;
      CHECK(scanAll(*scene, job).rows == (isOwn ? 1000U : 0U));
    }
  }
}

TEST_CASE("the nearest of the neighbours to a line is met, wherever it lies along it") {
  SceneMaker maker;
  maker.material(0.5F);
  LearnedModel model;
  addPoint(model, {5.0F, 0.008F, 0.0F}, {-1.0F, 0.0F, 0.0F});
  addPoint(model, {9.0F, 0.0F, 0.004F}, {-1.0F, 0.0F, 0.0F});
  addPoint(model, {3.0F, 0.02F, 0.0F}, {-1.0F, 0.0F, 0.0F});
  maker.place(maker.learned(std::move(model)), {});
  const auto scene = maker.build();
  const ScanTable table = scanAll(*scene, standingJob(strongestBeam(0.0), {}, 0.01));
  REQUIRE(table.rows == 100);
  CHECK(table.real(ReturnColumn::rangeM, 0) == doctest::Approx(9.0));
  CHECK(table.at<std::uint32_t>(ReturnColumn::triangleId, 0) == 1);
  CHECK(table.at<std::uint8_t>(ReturnColumn::learnedPart, 0) == 3);
}

TEST_CASE("points have no support of their own, and lower no other") {
  for (const bool hasElement : {false, true}) {
    CAPTURE(hasElement);
    LearnedModel model;
    addPoint(model, {9.0F, 0.0F, 0.004F}, {-1.0F, 0.0F, 0.0F});
    model.points.seen.support[0] = 1;
    // Before the point; its pulses pass it.
    if (hasElement) addElement(model, {5.0F, 0.0F, 0.0F}, 0.1F, 1.0F);
    SceneMaker maker;
    maker.material(0.5F);
    maker.place(maker.learned(model), {});
    const auto scene = maker.build();
    ScanJob job = standingJob(strongestBeam(0.0), {}, 0.01);
    for (const bool alwaysFollowsPaths : {false, true}) {
      job.alwaysFollowsPaths = alwaysFollowsPaths;
      const ScanTable table = scanAll(*scene, job);
      REQUIRE(table.rows == 100);
      CHECK(table.at<std::uint8_t>(ReturnColumn::learnedPart, 0) == 3);
      CHECK(table.at<std::uint32_t>(ReturnColumn::support, 0) == (hasElement ? 50U : 0U));
    }
    // As models are judged.
    std::vector<MetMember> met;
    LearnedLines(model).meet({}, {1.0F, 0.0F, 0.0F}, 100.0, met);
    CHECK(met.size() == (hasElement ? 2U : 1U));
    CHECK(!drawRange(met, 1, 0, {0.0, 100.0}).isUnderSampled);
  }
}

TEST_CASE("the support of a line ends at what moves where that is at the time of the pulse") {
  SceneMaker maker;
  const auto grey = maker.material(0.5F);
  maker.place(maker.model(wallMesh(2.0F, 1, grey)), {10.0, 0.0, 0.0});
  maker.move();
  LearnedModel model;
  addElement(model, {20.0F, 0.0F, 0.0F}, 0.1F, 1.0F);
  maker.place(maker.learned(std::move(model)), {});
  const auto scene = maker.build();
  ScanJob job = standingJob(strongestBeam(0.0), {}, 0.2);
  // The wall passes the element after 0.1 s.
  job.motions = motionsOf(0, 3, [](double seconds) {
    return Pose{{100.0 * seconds, 0.0, 0.0}, {}};
  });
  for (const bool alwaysFollowsPaths : {false, true}) {
    job.alwaysFollowsPaths = alwaysFollowsPaths;
    const ScanTable table = scanAll(*scene, job);
    REQUIRE(table.rows == 2000);
    for (const std::size_t row : {0U, 900U, 1100U, 1999U}) {
      CAPTURE(row);
      CHECK(table.at<std::uint32_t>(ReturnColumn::support, row) == (row < 1000 ? 0U : 50U));
    }
  }
}

TEST_CASE("an element nearer than the minimum range blocks its pulse") {
  SceneMaker maker;
  const auto grey = maker.material(0.5F);
  maker.place(maker.model(wallMesh(2.0F, 1, grey)), {10.0, 0.0, 0.0});
  LearnedModel model;
  addElement(model, {0.5F, 0.0F, 0.0F}, 0.01F, 0.0F);
  maker.place(maker.learned(std::move(model)), {});
  const auto scene = maker.build();
  SensorRecipe sensor = fastBeam(0.003);
  sensor.minRangeM = 1.0;
  CHECK(scanAll(*scene, standingJob(sensor, {}, 0.01)).rows == 0);
}
