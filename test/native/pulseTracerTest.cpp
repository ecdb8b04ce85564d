// Leaves, mirrors and wide beams on scenes with closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include "core/optics/sceneOptics.h"
#include "pulses/batchTracer.h"
#include "test/native/support/scenes.h"

using namespace understory;
using doctest::Approx;
using Column = ReturnColumn;

namespace {

// One pulse along x of a single ray; every hit its own echo.
SensorRecipe pencil() {
  SensorRecipe sensor = singleBeam(0.0, ReturnMode::all, 0.0);
  sensor.beam.stencil = StencilKind::rays;
  sensor.beam.rays.count = 1;
  sensor.returns.maxReturns = 16;
  return sensor;
}

SensorRecipe uniformBeam(std::uint32_t rays, double divergenceRad) {
  SensorRecipe sensor = singleBeam(divergenceRad, ReturnMode::first, 100.0);
  sensor.beam = {SpotShape::circular, divergenceRad, divergenceRad};
  sensor.beam.stencil = StencilKind::rays;
  sensor.beam.rays.count = rays;
  return sensor;
}

ScanTable onePulse(const TracedScene& scene, const SensorRecipe& sensor) {
  return scanAll(scene, standingJob(sensor, {}, 0.5));
}

// All hits of the first pulse, ray by ray.
std::vector<PathHit> hitsOfPulse(const TracedScene& scene, const SensorRecipe& sensor) {
  const Trajectory stationary{{0}, {{}}};
  const SourceTracer<EmbreeScene> tracer(scene.triangles(), scene.truth(), sensor, stationary,
                                         {0, true});
  std::vector<PathHit> hits;
  const PulseVisitor store = [&](const PulseTrace& pulse) {
    hits.assign(pulse.hits.begin(), pulse.hits.end());
  };
  TracedBatch batch;
  tracer.trace(0, {0, 1}, batch, &store);
  return hits;
}

double sumOfShares(const std::vector<PathHit>& hits) {
  double sum = 0.0;
  for (const PathHit& hit : hits) sum += static_cast<double>(hit.share);
  return sum;
}

// A mirror 5 m ahead turns the beam to the left, to a wall 7 m beside it.
struct MirrorScene {
  SceneMaker maker;
  std::uint32_t wall = 0;

  explicit MirrorScene(std::uint32_t divisions) {
    const std::uint16_t grey = maker.material(0.5F);
    const std::uint16_t glass = maker.material(mirrorMaterial());
    const std::uint16_t mirror = maker.model(wallMesh(2.0F, divisions, glass));
    maker.place(mirror, {5.0, 0.0, 0.0}, rotationAbout({0.0, 0.0, 1.0}, 0.75 * piRad));
    wall = maker.place(maker.model(wallMesh(3.0F, 1, grey)), {5.0, 7.0, 0.0},
                       rotationAbout({0.0, 0.0, 1.0}, 0.5 * piRad));
  }
};

}  // namespace

// The mirrors' facets meet where the beam falls on them, at a corner (4) and within a facet (1: on its
// diagonal; 3: inside).
TEST_CASE("what a mirror shows is reported along the beam at the whole length") {
  for (const std::uint32_t divisions : {1U, 3U, 4U}) {
    MirrorScene made(divisions);
    const auto scene = made.maker.build();
    const ScanTable table = onePulse(*scene, pencil());
    REQUIRE(table.rows == 1);
    CHECK(table.real(Column::rangeM, 0) == Approx(12.0).epsilon(2e-6));
    CHECK(table.real(Column::trueRangeM, 0) == Approx(12.0).epsilon(2e-6));
    CHECK(table.real(Column::xM, 0) == Approx(12.0).epsilon(2e-6));
    CHECK(std::abs(table.real(Column::yM, 0)) < 1e-5);
    CHECK(table.real(Column::hitXM, 0) == Approx(5.0).epsilon(5e-6));
    CHECK(table.real(Column::hitYM, 0) == Approx(7.0).epsilon(5e-6));
    CHECK(table.at<std::uint8_t>(Column::mirrors, 0) == 1);
    CHECK(table.at<std::uint32_t>(Column::objectId, 0) == made.wall);
    CHECK(table.real(Column::intensity, 0) == Approx(0.5).epsilon(1e-5));
    CHECK(table.real(Column::beamShare, 0) == Approx(1.0));
  }
}

TEST_CASE("the whole path counts for the maximum range, and a near mirror does not block it") {
  MirrorScene made(3);
  const auto scene = made.maker.build();
  SensorRecipe sensor = pencil();
  sensor.maxRangeM = 11.99;
  CHECK(onePulse(*scene, sensor).rows == 0);
  sensor.maxRangeM = 12.01;
  sensor.minRangeM = 11.0;
  CHECK(onePulse(*scene, sensor).rows == 1);
  sensor.minRangeM = 12.005;
  CHECK(onePulse(*scene, sensor).rows == 0);
}

TEST_CASE("a mirror itself returns nothing") {
  SceneMaker maker;
  const std::uint16_t glass = maker.material(mirrorMaterial());
  maker.place(maker.model(wallMesh(2.0F, 2, glass)), {5.0, 0.0, 0.0});
  const auto scene = maker.build();
  CHECK(onePulse(*scene, pencil()).rows == 0);
}

// A beam between two parallel mirrors 1 m apart, 45 degrees to them, meets them every sqrt(2) m: of a wall
// behind the fourth it knows only where it may meet four.
TEST_CASE("a ray goes over as many mirrors as the scene allows, and no more") {
  const auto rowsAt = [](std::uint32_t depth, double& rangeM) {
    SceneMaker maker;
    const std::uint16_t glass = maker.material(mirrorMaterial());
    const std::uint16_t grey = maker.material(0.5F);
    const std::uint16_t mirror = maker.model(wallMesh(1.9F, 3, glass));
    // Along (1, 1, 0)/sqrt(2), facing each other across (1, -1, 0)/sqrt(2).
    const Vec3d across = normalized(Vec3d{1.0, -1.0, 0.0});
    const Quatd turn = rotationAbout({0.0, 0.0, 1.0}, -0.25 * piRad);
    const Vec3d middle = Vec3d{2.0, 0.0, 0.0} + normalized(Vec3d{1.0, 1.0, 0.0}) * 1.8;
    maker.place(mirror, middle, turn);
    maker.place(mirror, middle - across, turn);
    maker.mirrorDepth(depth);
    maker.place(maker.model(wallMesh(50.0F, 1, grey)), {20.0, 0.0, 0.0});
    maker.place(maker.model(wallMesh(50.0F, 1, grey)), {0.0, 20.0, 0.0},
                rotationAbout({0.0, 0.0, 1.0}, 0.5 * piRad));
    const auto scene = maker.build();
    const ScanTable table = onePulse(*scene, pencil());
    if (table.rows == 1) rangeM = table.real(Column::rangeM, 0);
    return table.rows == 0 ? 0 : static_cast<int>(table.at<std::uint8_t>(Column::mirrors, 0));
  };
  // Feet lie at 0, 1, 2, 3 along the mirrors, from 0.1 m inside their ends at -0.1 to 3.7; the fifth would.
  double rangeM = 0.0;
  CHECK(rowsAt(4, rangeM) == 4);
  // x and y legs by turns of sqrt(2): from x = 2 two legs up, two legs ahead; ends on the wall x = 20.
  CHECK(rangeM == Approx(18.0 + 2.0 + 2.0 * std::sqrt(2.0)).epsilon(1e-5));
  CHECK(rowsAt(3, rangeM) == 0);
  CHECK(rowsAt(0, rangeM) == 0);
}

TEST_CASE("gauze keeps what its gaps leave, the next one its share of the rest") {
  SceneMaker maker;
  const std::uint16_t gauze = maker.material(gauzeMaterial(0.35, 0.4));
  const std::uint16_t grey = maker.material(0.5F);
  const std::uint16_t sheet = maker.model(wallMesh(1.0F, 3, gauze));
  maker.place(sheet, {4.0, 0.0, 0.0});
  maker.place(sheet, {6.0, 0.0, 0.0}, rotationAbout({0.0, 0.0, 1.0}, piRad));
  maker.place(maker.model(wallMesh(1.0F, 3, grey)), {10.0, 0.0, 0.0});
  const auto scene = maker.build();
  const std::vector<PathHit> hits = hitsOfPulse(*scene, pencil());
  REQUIRE(hits.size() == 3);
  const std::array<double, 3> shares{0.6, 0.4 * 0.6, 0.4 * 0.4};
  const std::array<double, 3> intensities{0.6 * 0.35, 0.4 * 0.6 * 0.35, 0.4 * 0.4 * 0.5};
  const std::array<double, 3> rangesM{4.0, 6.0, 10.0};
  const ScanTable table = onePulse(*scene, pencil());
  REQUIRE(table.rows == 3);
  for (std::size_t hit = 0; hit < 3; ++hit) {
    CHECK(static_cast<double>(hits[hit].share) == Approx(shares[hit]).epsilon(1e-6));
    CHECK(table.real(Column::rangeM, hit) == Approx(rangesM[hit]).epsilon(1e-6));
    CHECK(table.real(Column::beamShare, hit) == Approx(shares[hit]).epsilon(1e-6));
    CHECK(table.real(Column::intensity, hit) == Approx(intensities[hit]).epsilon(1e-6));
  }
  CHECK(sumOfShares(hits) == Approx(1.0).epsilon(1e-6));
  SensorRecipe blind = pencil();
  blind.minRangeM = 5.0;
  CHECK(onePulse(*scene, blind).rows == 2);
}

TEST_CASE("a ray ends at a thousandth of its energy, or after 256 surfaces") {
  const auto hitsBehind = [](int sheets, double gapFraction) {
    SceneMaker maker;
    const std::uint16_t sheet =
        maker.model(wallMesh(1.0F, 2, maker.material(gauzeMaterial(0.0, gapFraction))));
    for (int at = 0; at < sheets; ++at) maker.place(sheet, {2.0 + 0.01 * at, 0.0, 0.0});
    return hitsOfPulse(*maker.build(), pencil());
  };
  const std::vector<PathHit> dim = hitsBehind(5, 0.01);
  REQUIRE(dim.size() == 2);
  CHECK(sumOfShares(dim) == Approx(1.0 - 1e-4).epsilon(1e-6));
  // The beam falls on the corner that eight facets share: each sheet counts once.
  const std::vector<PathHit> clear = hitsBehind(300, 0.999);
  REQUIRE(clear.size() == 256);
  CHECK(sumOfShares(clear) == Approx(1.0 - std::pow(0.999, 256.0)).epsilon(1e-5));
}

TEST_CASE("what lies nearer than the minimum range blocks the ray") {
  SceneMaker maker;
  const std::uint16_t wall = maker.model(wallMesh(1.0F, 3, maker.material(0.5F)));
  maker.place(wall, {1.0, 0.0, 0.0});
  maker.place(wall, {10.0, 0.0, 0.0});
  const auto scene = maker.build();
  SensorRecipe sensor = pencil();
  sensor.minRangeM = 1.5;
  CHECK(onePulse(*scene, sensor).rows == 0);
  sensor.minRangeM = 0.5;
  REQUIRE(onePulse(*scene, sensor).rows == 1);
}

TEST_CASE("a wall that fills the spot returns power by the square of its distance") {
  SensorRecipe sensor = uniformBeam(100, 0.001);
  sensor.radiometry = Radiometry::radarEquation;
  const auto powerAt = [&](double rangeM, double extinction) {
    SceneMaker maker;
    maker.air({.extinctionPerM = extinction});
    maker.place(maker.model(wallMesh(5.0F, 3, maker.material(0.5F))), {rangeM, 0.0, 0.0});
    const ScanTable table = onePulse(*maker.build(), sensor);
    REQUIRE(table.rows == 1);
    return table.real(Column::intensity, 0);
  };
  // To the spot's edge, half a milliradian, cosine and distance differ by 1e-7 from those of the axis.
  CHECK(powerAt(10.0, 0.0) == Approx(0.5 / 100.0).epsilon(1e-6).scale(0));
  CHECK(powerAt(40.0, 0.0) == Approx(0.5 / 1600.0).epsilon(1e-6).scale(0));
  CHECK(powerAt(40.0, 0.005) == Approx(0.5 / 1600.0 * std::exp(-0.4)).epsilon(1e-6).scale(0));
}

TEST_CASE("a sensor sees the reflectance at its own wavelength") {
  SceneMaker maker;
  const Spectrum spectrum({{900.0, 0.6}, {1500.0, 0.2}});
  maker.place(maker.model(wallMesh(1.0F, 3, maker.material({"bark", spectrum, {}}))),
              {5.0, 0.0, 0.0});
  const auto scene = maker.build();
  SensorRecipe sensor = singleBeam(0.0, ReturnMode::strongest, 0.0);
  for (const double wavelengthNm : {905.0, 1200.0, 1550.0}) {
    sensor.wavelengthNm = wavelengthNm;
    const double expected = 0.6 - 0.4 * std::clamp((wavelengthNm - 900.0) / 600.0, 0.0, 1.0);
    CHECK(onePulse(*scene, sensor).real(Column::intensity, 0) == Approx(expected).epsilon(1e-6));
  }
}

// Rays lie in about sqrt(1000) strips across the edge; it cuts one of them, which may fall to either side.
TEST_CASE("half a wall takes half of a wide beam, and a miss yields nothing") {
  SceneMaker maker;
  maker.place(maker.model(wallMesh(5.0F, 1, maker.material(0.5F))), {20.0, 5.0, 0.0});
  const auto scene = maker.build();
  const ScanTable table = onePulse(*scene, uniformBeam(1000, 0.01));
  REQUIRE(table.rows == 1);
  CHECK(table.real(Column::beamShare, 0) == Approx(0.5).epsilon(2.0 * 0.5 / std::sqrt(1000.0)));
  CHECK(table.totals.rays == 1000);
  CHECK(static_cast<double>(table.totals.hits) ==
        Approx(1000.0 * table.real(Column::beamShare, 0)));
  SensorRecipe away = uniformBeam(1000, 0.01);
  away.scan.minAzimuthRad = away.scan.maxAzimuthRad = piRad;
  ScanJob job = standingJob(away, {}, 0.5);
  job.withMisses = true;
  const ScanTable nothing = scanAll(*scene, job);
  REQUIRE(nothing.rows == 1);
  CHECK(nothing.totals.returns == 0);
  CHECK(std::isnan(nothing.real(Column::rangeM, 0)));
}

TEST_CASE("a sign outshines the wall beside it") {
  SceneMaker maker;
  const std::uint16_t grey = maker.material(0.5F);
  Material tape{"tape", 0.3, {}};
  tape.surface = {
      .kind = SurfaceKind::retroreflector, .gain = 200.0, .halfWidthRad = radians(20.0)};
  const std::uint16_t bright = maker.material(tape);
  maker.place(maker.model(wallMesh(5.0F, 1, grey)), {10.0, 0.0, 0.0});
  maker.place(maker.model(wallMesh(0.02F, 1, bright)), {9.9, 0.0, 0.0},
              rotationAbout({0.0, 0.0, 1.0}, piRad + radians(20.0)));
  const ScanTable table = onePulse(*maker.build(), singleBeam(0.02, ReturnMode::strongest, 0.0));
  REQUIRE(table.rows == 1);
  CHECK(table.real(Column::rangeM, 0) == Approx(9.9).epsilon(1e-6));
  CHECK(table.real(Column::intensity, 0) == Approx(100.0).epsilon(1e-5));
}
