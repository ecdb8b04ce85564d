// Pulses through learned models: closed forms of permeability and range, order, energy, noise, detection.
#include <doctest/doctest.h>

#include <random>

#include "learn/learnedLines.h"
#include "pulses/learnedContext.h"
#include "surfaces/embree/embreeVolumes.h"
#include "test/native/support/learnedChecks.h"
#include "test/native/support/refusals.h"

using namespace understory;

namespace {

// Uniform in [0, 1): not std::uniform_real_distribution, whose numbers differ between libraries.
double shareOf(std::mt19937& random) { return static_cast<double>(random()) / 4294967296.0; }

bool isSameTable(const ScanTable& a, const ScanTable& b) {
  return a.rows == b.rows && a.bytes == b.bytes;
}

// The first element that a line does not pass, one element after another.
LineStop slowFirst(const LearnedModel& model, Vec3f originM, Vec3f direction, std::uint64_t pulse,
                   const LearnedDraws& draws, float limitM) {
  LineStop stop;
  stop.meanM = std::numeric_limits<float>::infinity();
  for (std::uint32_t index = 0; index < model.elements.size(); ++index) {
    const ElementShape shape =
        elementShape(model.elements.meansM[index], model.elements.covariancesM2[index], 0.0F,
                     model.mahalanobisLimit);
    const LineGaussian met = onLine(shape, originM, direction);
    if (!(met.distanceSquared < shape.limitSquared) || met.meanM <= 0.0F || met.meanM > limitM)
      continue;
    if (met.meanM >= stop.meanM) continue;
    if (draws.passes(0, index, pulse, model.elements.seen.permeability[index])) continue;
    stop.meanM = met.meanM;
    stop.rangeM = draws.rangeM(0, index, pulse, met.meanM, met.sigmaM);
    stop.instance = 0;
    stop.primitive = index;
  }
  return stop;
}

LearnedModel randomElements(std::size_t count) {
  std::mt19937 random(4);
  const auto uniform = [&](double from, double to) {
    return static_cast<float>(from + (to - from) * shareOf(random));
  };
  LearnedModel model;
  for (std::size_t index = 0; index < count; ++index) {
    addElement(model, {uniform(-10, 10), uniform(-10, 10), uniform(-2, 2)}, 0.1F, uniform(0, 1));
    // L L' of a random lower triangle.
    const float a = uniform(0.02, 0.3);
    const float b = uniform(-0.2, 0.2);
    const float c = uniform(0.02, 0.3);
    const float d = uniform(-0.2, 0.2);
    const float e = uniform(-0.2, 0.2);
    const float f = uniform(0.005, 0.3);
    model.elements.covariancesM2[index] = {a * a,         a * b,         a * d,
                                           b * b + c * c, b * d + c * e, d * d + e * e + f * f};
  }
  return model;
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

TEST_CASE("the trees find what one element after another finds") {
  LearnedModel model = randomElements(1000);
  std::mt19937 random(8);
  const auto support = [&] { return static_cast<std::uint32_t>(1 + random() % 1000); };
  std::ranges::generate(model.elements.seen.support, support);
  // Placed trees are met one after another, or found in a tree of theirs; all but the first are out of reach.
  for (const std::size_t copies : {1, 6}) {
    SceneMaker maker;
    maker.material(0.5F);
    const auto id = maker.learned(model);
    for (std::size_t copy = 0; copy < copies; ++copy) maker.place(id, {40.0 * double(copy), 0, 0});
    const auto scene = maker.build();
    const LearnedDraws draws(scene->scene(), 1, 0);
    std::size_t met = 0;
    for (std::uint64_t first = 0; first < 960; first += PulseLines::width) {
      // Half of the groups are of neighbours, as of a sensor; the others look all around. Some are not full.
      const double spreadRad = first % 32 == 0 ? 2.0 * piRad : 0.05;
      const double centreRad = 2.0 * piRad * shareOf(random);
      PulseLines lines;
      for (std::size_t line = 0; line < PulseLines::width - first % 5; ++line) {
        const double turn = centreRad + spreadRad * shareOf(random);
        const double up = 0.2 * shareOf(random) - 0.1;
        lines.add(
            {0.0F, 0.01F * static_cast<float>(line), 0.0F},
            toFloat({std::cos(turn) * std::cos(up), std::sin(turn) * std::cos(up), std::sin(up)}),
            first + line);
      }
      LineHits hits;
      LineTrails trails;
      scene->volumes()->first(lines, 8.0F, draws, hits, &trails);
      std::array<float, PulseLines::width> untilM{};
      for (std::size_t line = 0; line < lines.count; ++line) {
        const LineStop slow =
            slowFirst(model, {lines.originX[line], lines.originY[line], lines.originZ[line]},
                      {lines.directionX[line], lines.directionY[line], lines.directionZ[line]},
                      first + line, draws, 8.0F);
        untilM[line] = std::min(hits.meanM[line], 8.0F);
        REQUIRE(hits.isHit(line) == (slow.instance == 0));
        if (!hits.isHit(line)) continue;
        ++met;
        CHECK(hits.primitive[line] == slow.primitive);
        CHECK(hits.rangeM[line] == doctest::Approx(slow.rangeM).epsilon(1e-5));
      }
      std::array<std::uint32_t, PulseLines::width> least{};
      least.fill(5000);
      scene->volumes()->minSupport(lines, untilM, least);
      for (std::size_t line = 0; line < lines.count; ++line) {
        CHECK(trails[line].minUntil(untilM[line], 5000) == least[line]);
      }
    }
    CHECK(met > 100);
  }
}

TEST_CASE("lines together meet in several models what each meets alone") {
  const LearnedModel model = randomElements(1000);
  const Quatd turn = rotationAbout({0.2, 0.3, 0.93}, 0.7);
  SceneMaker maker;
  maker.material(0.5F);
  const auto id = maker.learned(model);
  maker.place(id, {0.0, 0.0, 0.0});
  maker.place(id, {2.0, 1.0, 0.3}, turn, 1.5);
  maker.place(id, {-1.0, 3.0, 0.0}, turn);
  const auto scene = maker.build();
  const LearnedDraws draws(scene->scene(), 1, 0);
  // Along the axes, in both directions, with zeros of both signs, and between them.
  std::vector<Vec3f> directions;
  for (const float sign : {1.0F, -1.0F}) {
    for (const float zero : {0.0F, -0.0F}) {
      directions.insert(directions.end(), {{sign, zero, zero}, {zero, sign, zero}});
      directions.push_back(toFloat(normalized(Vec3d{double(sign), double(sign) * 0.3, 0.02})));
    }
  }
  std::mt19937 random(3);
  std::size_t met = 0;
  for (std::uint64_t first = 0; first < 1600; first += PulseLines::width) {
    PulseLines lines;
    for (std::size_t line = 0; line < PulseLines::width; ++line) {
      const auto aside = static_cast<float>(shareOf(random) - 0.5);
      // Half of the groups are of parallel lines.
      const std::size_t way = first % 32 == 0 ? first / 32 : random();
      lines.add({aside, 0.3F * aside, 0.1F}, directions[way % directions.size()], first + line);
    }
    LineHits together;
    scene->volumes()->first(lines, 20.0F, draws, together, nullptr);
    for (std::size_t line = 0; line < PulseLines::width; ++line) {
      PulseLines alone;
      alone.add({lines.originX[line], lines.originY[line], lines.originZ[line]},
                {lines.directionX[line], lines.directionY[line], lines.directionZ[line]},
                lines.pulse[line]);
      LineHits hits;
      scene->volumes()->first(alone, 20.0F, draws, hits, nullptr);
      REQUIRE(hits.instance[0] == together.instance[line]);
      if (!hits.isHit(0)) continue;
      ++met;
      CHECK(hits.primitive[0] == together.primitive[line]);
      CHECK(hits.meanM[0] == together.meanM[line]);
      CHECK(hits.rangeM[0] == together.rangeM[line]);
    }
  }
  CHECK(met > 1000);
}

TEST_CASE("a turned and scaled model is met as a model of turned and scaled elements") {
  const LearnedModel model = randomElements(500);
  const Quatd turn = rotationAbout({0.0, 0.0, 1.0}, 0.7);
  SceneMaker placed;
  placed.material(0.5F);
  placed.place(placed.learned(model), {3.0, 1.0, 0.5}, turn, 1.5);
  LearnedModel moved = model;
  const Mat3d m = matrixOf(turn);
  for (std::size_t index = 0; index < moved.elements.size(); ++index) {
    moved.elements.meansM[index] = toFloat(
        worldFromModel({{3.0, 1.0, 0.5}, turn, 1.5}, toDouble(model.elements.meansM[index])));
    const Symmetric3f& c = model.elements.covariancesM2[index];
    const Mat3d own{{{c[0], c[1], c[2]}, {c[1], c[3], c[4]}, {c[2], c[4], c[5]}}};
    Mat3d world{};
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 3; ++column) {
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::size_t j = 0; j < 3; ++j) {
            world[row][column] += 2.25 * m[row][i] * own[i][j] * m[column][j];
          }
        }
      }
    }
    moved.elements.covariancesM2[index] = {
        static_cast<float>(world[0][0]), static_cast<float>(world[0][1]),
        static_cast<float>(world[0][2]), static_cast<float>(world[1][1]),
        static_cast<float>(world[1][2]), static_cast<float>(world[2][2])};
  }
  SceneMaker baked;
  baked.material(0.5F);
  baked.place(baked.learned(std::move(moved)), {});
  const auto a = placed.build();
  const auto b = baked.build();
  SensorRecipe sensor = fastBeam(0.0, 1.0);
  const ScanTable first = scanAll(*a, standingJob(sensor, {}, 0.2));
  const ScanTable second = scanAll(*b, standingJob(sensor, {}, 0.2));
  REQUIRE(first.rows == second.rows);
  REQUIRE(first.rows > 300);
  std::size_t same = 0;
  for (std::size_t row = 0; row < first.rows; ++row) {
    const double apartM =
        first.real(ReturnColumn::rangeM, row) - second.real(ReturnColumn::rangeM, row);
    same += std::abs(apartM) < 1e-3 ? 1 : 0;
  }
  CHECK(same + 2 >= first.rows);
}

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
