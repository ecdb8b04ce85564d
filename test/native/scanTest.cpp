// Scans against closed forms: cube, walls, sphere, boxes, rods, range limits, edges.
#include <doctest/doctest.h>

#include <cmath>

#include "core/error.h"
#include "test/native/support/scenes.h"

using namespace understory;
using Column = ReturnColumn;

namespace {

// Ranges are single precision: some ulps of the value.
constexpr double ulpsOfRange = 4.0 * 1.2e-7;

Mesh sphereMesh(double radiusM, std::uint32_t rings) {
  Mesh mesh;
  const std::uint32_t side = 2 * rings;
  for (std::uint32_t ring = 0; ring <= rings; ++ring) {
    for (std::uint32_t step = 0; step <= side; ++step) {
      const double polar = piRad * ring / rings;
      const double turn = 2.0 * piRad * step / side;
      mesh.vertices.push_back(toFloat(Vec3d{std::sin(polar) * std::cos(turn),
                                            std::sin(polar) * std::sin(turn), std::cos(polar)} *
                                      radiusM));
    }
  }
  for (std::uint32_t ring = 0; ring < rings; ++ring) {
    for (std::uint32_t step = 0; step < side; ++step) {
      const std::uint32_t a = ring * (side + 1) + step;
      const std::uint32_t b = a + side + 1;
      if (ring > 0) mesh.triangles.push_back({a, b, a + 1});
      if (ring + 1 < rings) mesh.triangles.push_back({a + 1, b, b + 1});
    }
  }
  mesh.materialOfTriangle.assign(mesh.triangles.size(), 0);
  return mesh;
}

// Upright, open at both ends.
Mesh rodMesh(double radiusM, double halfHeightM, std::uint32_t sides) {
  Mesh mesh;
  for (std::uint32_t side = 0; side < sides; ++side) {
    const double turn = 2.0 * piRad * side / sides;
    for (const double z : {-halfHeightM, halfHeightM}) {
      mesh.vertices.push_back(toFloat({radiusM * std::cos(turn), radiusM * std::sin(turn), z}));
    }
  }
  for (std::uint32_t side = 0; side < sides; ++side) {
    const std::uint32_t next = (side + 1) % sides;
    mesh.triangles.push_back({2 * side, 2 * next, 2 * side + 1});
    mesh.triangles.push_back({2 * next, 2 * next + 1, 2 * side + 1});
  }
  mesh.materialOfTriangle.assign(mesh.triangles.size(), 0);
  return mesh;
}

ScanTable pencil(const TracedScene& scene, Vec3d fromM, Vec3d direction) {
  return scanAll(scene, standingJob(singleBeam(0.0, ReturnMode::closest, 0.0),
                                    lookingAlong(fromM, direction), 1.0));
}

}  // namespace

TEST_CASE("a unit cube around the sensor is met at 0.5 along every axis") {
  SceneMaker maker;
  maker.material(0.5F);
  maker.place(maker.model(boxMesh(0.5F, 0)), {0.0, 0.0, 0.0});
  const auto scene = maker.build();
  for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{-1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, -1, 0},
                           Vec3d{0, 0, 1}, Vec3d{0, 0, -1}}) {
    const ScanTable table = pencil(*scene, {0.0, 0.0, 0.0}, axis);
    REQUIRE(table.rows == 1);
    CHECK(table.real(Column::rangeM, 0) == doctest::Approx(0.5).epsilon(ulpsOfRange));
    CHECK(table.real(Column::xM, 0) == doctest::Approx(0.5 * axis.x).epsilon(1e-6));
    CHECK(table.real(Column::zM, 0) == doctest::Approx(0.5 * axis.z).epsilon(1e-6));
    CHECK(table.real(Column::intensity, 0) == doctest::Approx(0.5).epsilon(1e-6));
    // Inside of the box: the normal is still turned towards the sensor.
    CHECK(table.real(Column::normalX, 0) == doctest::Approx(-axis.x).epsilon(1e-6));
    CHECK(table.at<std::uint32_t>(Column::objectId, 0) == 1);
  }
}

TEST_CASE("two boxes and six rays") {
  const std::array<std::pair<Vec3d, Vec3d>, 6> rays{{{{6, 6, 9}, {0, 0, -1}},
                                                     {{-6, 6, 6}, {1, 0, 0}},
                                                     {{-6, 4, -5.5}, {.968, .061, .242}},
                                                     {{2, 4, -10}, {.371, .019, .928}},
                                                     {{9, 4, -10}, {.707, .035, .707}},
                                                     {{6, 6, 9}, {0, 0, 1}}}};
  const std::array<std::array<bool, 6>, 2> expected{
      {{true, true, false, true, false, false}, {true, false, true, true, false, false}}};
  for (std::size_t box = 0; box < 2; ++box) {
    SceneMaker maker;
    maker.material(0.5F);
    maker.place(maker.model(boxMesh(2.0F, 0)), {6.0, 6.0, box == 0 ? 6.0 : -2.0});
    const auto scene = maker.build();
    for (std::size_t ray = 0; ray < rays.size(); ++ray) {
      CAPTURE(box);
      CAPTURE(ray);
      CHECK((pencil(*scene, rays[ray].first, rays[ray].second).rows == 1) == expected[box][ray]);
    }
  }
}

TEST_CASE("a wall head-on and tilted: range, incidence, intensity") {
  for (const double tiltDeg : {0.0, 30.0, 60.0, 80.0}) {
    CAPTURE(tiltDeg);
    SceneMaker maker;
    maker.material(0.4F);
    maker.place(maker.model(wallMesh(40.0F, 8, 0)), {12.0, 0.0, 0.0},
                rotationAbout({0.0, 0.0, 1.0}, radians(tiltDeg)));
    const auto scene = maker.build();
    const ScanTable table = pencil(*scene, {0.0, 0.3, 0.2}, {1.0, 0.0, 0.0});
    REQUIRE(table.rows == 1);
    // The plane through (12, 0, 0) with normal (cos tilt, sin tilt, 0), met along x at y = 0.3.
    const double rangeM = 12.0 - 0.3 * std::tan(radians(tiltDeg));
    CHECK(table.real(Column::rangeM, 0) == doctest::Approx(rangeM).epsilon(4 * ulpsOfRange));
    CHECK(table.real(Column::trueRangeM, 0) == table.real(Column::rangeM, 0));
    CHECK(table.real(Column::intensity, 0) ==
          doctest::Approx(0.4 * std::cos(radians(tiltDeg))).epsilon(1e-5));
    // Three roundings of a float near 1.5.
    CHECK(std::abs(table.real(Column::incidenceRad, 0) - radians(tiltDeg)) < 4e-7);
  }
}

TEST_CASE("a sphere is met between its chord and its radius") {
  SceneMaker maker;
  maker.material(0.5F);
  constexpr std::uint32_t rings = 128;
  maker.place(maker.model(sphereMesh(1.0, rings)), {10.0, 0.0, 0.0}, {}, 2.0);
  const auto scene = maker.build();
  // A facet lies inside the sphere by at most r(1 - cos^2(half step)).
  const double sagM = 2.0 * (1.0 - std::pow(std::cos(0.5 * piRad / rings), 2));
  for (const double offsetM : {0.0, 0.7, 1.4}) {
    CAPTURE(offsetM);
    const ScanTable table = pencil(*scene, {0.0, offsetM, 0.1}, {1.0, 0.0, 0.0});
    const double cosine = std::sqrt(4.0 - offsetM * offsetM - 0.01) / 2.0;
    const double exactM = 10.0 - 2.0 * cosine;
    CHECK(table.real(Column::rangeM, 0) > exactM - 1e-5);
    CHECK(table.real(Column::rangeM, 0) < exactM + sagM / cosine + 1e-5);
    // The facet's normal is at most a half diagonal step off the sphere's.
    CHECK(std::abs(table.real(Column::incidenceRad, 0) - std::acos(cosine)) < piRad / rings);
  }
}

TEST_CASE("a surface nearer than the minimum range blocks the ray and yields nothing") {
  SceneMaker maker;
  maker.material(0.5F);
  const std::uint16_t wall = maker.model(wallMesh(5.0F, 1, 0));
  maker.place(wall, {0.9, 0.0, 0.0});
  maker.place(wall, {3.0, 0.0, 0.0});
  const auto scene = maker.build();
  ScanJob job = standingJob(singleBeam(0.001, ReturnMode::first, 1.0), {{0.0, 0.1, 0.2}, {}}, 1.0);
  CHECK(scanAll(*scene, job).at<std::uint32_t>(Column::objectId, 0) == 1);
  job.sensor.minRangeM = 1.0;
  CHECK(scanAll(*scene, job).rows == 0);
  CHECK(scanAll(*scene, job).totals.hits == 0);
  job.sensor.minRangeM = 0.0;
  job.sensor.maxRangeM = 0.8;
  CHECK(scanAll(*scene, job).rows == 0);
}

TEST_CASE("a centre ray that misses drops nothing, and the point lies on the axis") {
  SceneMaker maker;
  maker.material(0.5F);
  // The wall's edge is at y = 0.01; only the rays to the left meet it.
  maker.place(maker.model(wallMesh(5.0F, 1, 0)), {10.0, 5.01, 0.0});
  const auto scene = maker.build();
  const ScanJob job = standingJob(singleBeam(0.01, ReturnMode::strongest, 1.0), {}, 1.0);
  const ScanTable table = scanAll(*scene, job);
  REQUIRE(table.rows == 1);
  CHECK(table.totals.hits == 3);
  CHECK(table.real(Column::beamShare, 0) == doctest::Approx(3.0 / 9.0).epsilon(1e-6));
  // The offset of the left column of the 3 x 3 grid at 1 m.
  const double left = std::tan(0.005) / std::sqrt(2.0);
  const double rangeM = 10.0 * std::sqrt(1.0 + left * left);
  CHECK(table.real(Column::rangeM, 0) == doctest::Approx(rangeM).epsilon(ulpsOfRange));
  CHECK(table.real(Column::yM, 0) == 0.0);
  CHECK(table.real(Column::xM, 0) == doctest::Approx(rangeM).epsilon(ulpsOfRange));
  CHECK(table.real(Column::hitXM, 0) == doctest::Approx(10.0).epsilon(ulpsOfRange));
  CHECK(table.real(Column::hitYM, 0) == doctest::Approx(10.0 * left).epsilon(1e-5));
}

TEST_CASE("misses are rows without an echo, on request") {
  SceneMaker maker;
  maker.material(0.5F);
  maker.place(maker.model(wallMesh(1.0F, 1, 0)), {10.0, 0.0, 0.0});
  const auto scene = maker.build();
  ScanJob job = standingJob(lms291(), {}, 1.0 / 37.5);
  const ScanTable without = scanAll(*scene, job);
  job.withMisses = true;
  const ScanTable with = scanAll(*scene, job);
  CHECK(with.rows == 201);
  CHECK(with.totals.returns == without.rows);
  CHECK(without.rows < 201);
  CHECK(with.at<std::uint8_t>(Column::returnNo, 0) == 0);
  CHECK(with.at<std::uint8_t>(Column::nReturns, 0) == 0);
  CHECK(std::isnan(with.real(Column::rangeM, 0)));
  CHECK(std::isnan(with.real(Column::xM, 0)));
  CHECK(with.at<std::uint32_t>(Column::objectId, 0) == 0);
  CHECK(with.real(Column::azimuthRad, 0) == doctest::Approx(radians(-50.0)).epsilon(1e-7));
  CHECK(with.at<std::uint8_t>(Column::returnNo, 100) == 1);
}

TEST_CASE("a moving sensor fires each slot from its own pose") {
  SceneMaker maker;
  maker.material(0.5F);
  maker.place(maker.model(wallMesh(50.0F, 4, 0)), {20.0, 0.0, 0.0});
  const auto scene = maker.build();
  ScanJob job = standingJob(singleBeam(0.0, ReturnMode::closest, 0.0), {}, 0.0);
  job.sensor.slotsPerSecond = 10.0;
  job.trajectory = {{0, 1'000'000'000}, {{{0.0, 0.0, 0.0}, {}}, {{5.0, 0.0, 1.0}, {}}}};
  job.interval.toNs = 1'500'000'000;
  const ScanTable table = scanAll(*scene, job);
  REQUIRE(table.rows == 15);
  for (std::size_t row = 0; row < table.rows; ++row) {
    const double share = std::min(1.0, static_cast<double>(row) / 10.0);
    CHECK(table.real(Column::rangeM, row) ==
          doctest::Approx(20.0 - 5.0 * share).epsilon(ulpsOfRange));
    CHECK(table.real(Column::xM, row) == doctest::Approx(20.0).epsilon(ulpsOfRange));
    CHECK(table.real(Column::zM, row) == doctest::Approx(share).epsilon(1e-6));
    CHECK(table.real(Column::xSensorM, row) == table.real(Column::rangeM, row));
  }
}

TEST_CASE("rods before a wall: mixed pixels within the cutoff, none beyond it") {
  // Goodin 2018, section 3.4.2: nine rods 12.7 cm apart, 25 mm thick, the middle one 75 mm, 0.80 m ahead.
  for (const double gapM : {0.60, 2.0}) {
    CAPTURE(gapM);
    SceneMaker maker;
    maker.material(0.5F);
    const std::uint16_t thin = maker.model(rodMesh(0.0125, 1.0, 96));
    const std::uint16_t thick = maker.model(rodMesh(0.0375, 1.0, 96));
    for (int rod = -4; rod <= 4; ++rod)
      maker.place(rod == 0 ? thick : thin, {0.8, 0.127 * rod, 0.0});
    const std::uint32_t wall =
        maker.place(maker.model(wallMesh(10.0F, 1, 0)), {0.8 + gapM, 0.0, 0.0});
    const auto scene = maker.build();
    const ScanTable table = scanAll(*scene, standingJob(lms291(), {}, 1.0 / 37.5));
    REQUIRE(table.rows == 201);
    int mixed = 0;
    for (std::size_t row = 0; row < table.rows; ++row) {
      // One wall ray of nine moves the mean by 67 mm; a rod's own roundness by 23 mm at most.
      const bool isBehind =
          table.real(Column::rangeM, row) - table.real(Column::trueRangeM, row) > 0.04;
      if (isBehind && table.at<std::uint32_t>(Column::objectId, row) != wall) ++mixed;
    }
    if (gapM < 1.0) {
      CHECK(mixed >= 18);
      CHECK(mixed <= 23);
    } else {
      CHECK(mixed == 0);
    }
  }
}

TEST_CASE("no ray slips through the edges and corners that triangles share") {
  SceneMaker maker;
  maker.material(0.5F);
  constexpr std::uint32_t divisions = 64;
  maker.place(maker.model(wallMesh(20.0F, divisions, 0)), {25.0, 0.0, 0.0},
              rotationAbout(normalized(Vec3d{0.1, 0.7, 0.4}), 0.6));
  const auto scene = maker.build();
  // One pulse at each inner corner of the grid, and one at the middle of each diagonal.
  ScanJob job = standingJob(singleBeam(0.0, ReturnMode::closest, 0.0), {}, 0.0);
  job.sensor.slotsPerSecond = 1000.0;
  job.trajectory = {};
  const Placement wall{{25.0, 0.0, 0.0}, rotationAbout(normalized(Vec3d{0.1, 0.7, 0.4}), 0.6), 1.0};
  const double stepM = 40.0 / divisions;
  for (std::uint32_t row = 1; row < divisions; ++row) {
    for (std::uint32_t column = 1; column < divisions; ++column) {
      for (const double share : {0.0, 0.5}) {
        const Vec3d corner = worldFromModel(
            wall, {0.0, -20.0 + stepM * (column - share), -20.0 + stepM * (row - share)});
        job.trajectory.timesNs.push_back(static_cast<std::int64_t>(job.trajectory.timesNs.size()) *
                                         1'000'000);
        job.trajectory.poses.push_back(lookingAlong({0.0, 0.0, 0.0}, corner));
      }
    }
  }
  job.interval.toNs = static_cast<std::int64_t>(job.trajectory.timesNs.size()) * 1'000'000;
  const ScanTotals totals = scanAll(*scene, job).totals;
  CHECK(totals.rays == 9 * 2 * (divisions - 1) * (divisions - 1));
  CHECK(totals.hits == totals.rays);
}

TEST_CASE("a scan that is cancelled reports it") {
  SceneMaker maker;
  maker.material(0.5F);
  maker.place(maker.model(wallMesh(1.0F, 1, 0)), {10.0, 0.0, 0.0});
  const auto scene = maker.build();
  const ScanJob job = standingJob(hdl64e(10.0), {}, 100.0);
  std::atomic<bool> isCancelled{false};
  ScanSink sink;
  sink.takeChunk = [](const RowChunk&) {};
  sink.watch.onProgress = [&](const std::string&, std::size_t, std::size_t) { isCancelled = true; };
  sink.watch.isCancelled = &isCancelled;
  CHECK_THROWS_WITH_AS(scan(*scene, job, sink), "the work was cancelled", UnderstoryError);
}
