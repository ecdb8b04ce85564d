// Lines through the trees of learned elements: they meet what one element after another would, alone or together, and
// wherever models are placed.
#include <doctest/doctest.h>

#include <random>

#include "pulses/learnedContext.h"
#include "surfaces/embree/embreeVolumes.h"
#include "test/native/support/learnedChecks.h"

using namespace understory;

namespace {

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

}  // namespace

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
            first + line, 0);
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
      lines.add({aside, 0.3F * aside, 0.1F}, directions[way % directions.size()], first + line, 0);
    }
    LineHits together;
    scene->volumes()->first(lines, 20.0F, draws, together, nullptr);
    for (std::size_t line = 0; line < PulseLines::width; ++line) {
      PulseLines alone;
      alone.add({lines.originX[line], lines.originY[line], lines.originZ[line]},
                {lines.directionX[line], lines.directionY[line], lines.directionZ[line]},
                lines.pulse[line], 0);
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
