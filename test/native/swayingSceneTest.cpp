// Plants in the wind: where a ray meets them at its time, against the law of their displacement.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "core/random/philox.h"
#include "core/scene/sway.h"
#include "surfaces/embree/swayingScene.h"
#include "test/native/support/scenes.h"
#include "test/native/support/sensors.h"

using namespace understory;

namespace {

constexpr double halfM = 5.0;  // of a plate: it is 10 m high
constexpr double aheadM = 20.0;
constexpr Wind breeze{8.0, 0.1, 0.3, 0.5, 2.1, 0.0};

Wind blowing(double towardsRad) {
  Wind wind = breeze;
  wind.towardsRad = towardsRad;
  return wind;
}

// An upright plate across x that stands on z = 0, `aheadM` along x, in a wind along x. `divisions`: cells along its
// height.
std::unique_ptr<const TracedScene> plateInWind(const Wind& wind, std::uint32_t divisions = 1,
                                               const Material& of = {"leaf", 0.5, {}}) {
  SceneMaker maker;
  const std::uint16_t model =
      maker.model(wallMesh(static_cast<float>(halfM), divisions, maker.material(of)));
  maker.place(model, {aheadM, 0.0, halfM});
  maker.blow(wind, model);
  return maker.build();
}

FacetHit along(const TracedScene& scene, Vec3d fromM, Vec3d direction, std::int64_t timeNs) {
  return scene.swaying().nearest({toFloat(fromM), toFloat(normalized(direction)), timeNs}, 0.0F,
                                 200.0F);
}

// The range at which a straight ray meets the plate: its displacement is even between the ends of a short way.
double expectedRangeM(const Sway& sway, Vec3d fromM, Vec3d direction, std::int64_t timeNs) {
  const Vec3d ahead = normalized(direction);
  const auto beyondM = [&](double rangeM) {
    const Vec3d pointM = fromM + ahead * rangeM;
    return pointM.x - sway.displacementM(pointM.z, timeNs).x - aheadM;
  };
  double nearM = 0.0;
  double farM = 200.0;
  for (int step = 0; step < 60; ++step) {
    const double middleM = 0.5 * (nearM + farM);
    (beyondM(middleM) < 0.0 ? nearM : farM) = middleM;
  }
  return nearM;
}

}  // namespace

TEST_CASE("a level ray meets a swaying plate where the law has it at the ray's time") {
  const auto built = plateInWind(breeze);
  const Scene& scene = built->scene();
  CHECK_FALSE(built->hasStillTrianglesOnly());
  CHECK(built->triangles().isEmpty());
  const Sway sway = swayOf(scene, scene.instances.front());
  CHECK(sway.heightM == doctest::Approx(2.0 * halfM));
  CHECK(sway.leanM == doctest::Approx(0.064));
  double worstM = 0.0;
  double minM = 100.0;
  double maxM = 0.0;
  for (std::int64_t timeNs = -3'000'000'000; timeNs < 60'000'000'000; timeNs += 137'911'111) {
    const double turns = sway.frequencyHz * static_cast<double>(timeNs) * 1e-9 + sway.phase;
    const double topM = 0.064 * (1.0 + 0.5 * std::sin(2.0 * piRad * turns));
    // At the borders of slabs the share is the power of the height.
    for (std::size_t border = 1; border < swaySlabs; ++border) {
      const double share = static_cast<double>(border) / static_cast<double>(swaySlabs);
      const FacetHit hit = along(*built, {0.0, 0.3, share * 2.0 * halfM}, {1.0, 0.0, 0.0}, timeNs);
      REQUIRE(hit.isHit);
      const double expectedM = aheadM + topM * std::pow(share, 2.5);
      worstM = std::max(worstM, std::abs(static_cast<double>(hit.rangeM) - expectedM));
      if (border + 1 < swaySlabs) continue;
      minM = std::min(minM, static_cast<double>(hit.rangeM));
      maxM = std::max(maxM, static_cast<double>(hit.rangeM));
    }
  }
  MESSAGE("worst error in range: ", worstM * 1e6, " um");
  CHECK(worstM < 5e-6);
  CHECK(maxM - minM == doctest::Approx(0.064 * std::pow(0.875, 2.5)).epsilon(0.01));
}

TEST_CASE(
    "slanted rays meet a swaying plate where the law has it, with the normal of the sheared one") {
  const auto built = plateInWind(breeze, 7);
  const Sway sway = swayOf(built->scene(), built->scene().instances.front());
  RandomStream random(7, RandomPurpose::beam, 0);
  double worstM = 0.0;
  double worstTurn = 0.0;
  for (int ray = 0; ray < 4000; ++ray) {
    const Vec3d fromM{random.uniform(0.0, 15.0), random.uniform(-2.0, 2.0),
                      random.uniform(-2.0, 12.0)};
    const Vec3d towardsM{aheadM, random.uniform(-4.0, 4.0), random.uniform(0.5, 9.5)};
    const auto timeNs = static_cast<std::int64_t>(random.uniform(0.0, 60e9));
    const FacetHit hit = along(*built, fromM, towardsM - fromM, timeNs);
    REQUIRE(hit.isHit);
    const double expectedM = expectedRangeM(sway, fromM, towardsM - fromM, timeNs);
    worstM = std::max(worstM, std::abs(static_cast<double>(hit.rangeM) - expectedM));
    // The surface's own slope, from two points of it in one slab.
    const double zM = fromM.z + normalized(towardsM - fromM).z * expectedM;
    const double slabM = sway.heightM / static_cast<double>(swaySlabs);
    const double intoSlab = zM / slabM - std::floor(zM / slabM);
    if (intoSlab < 0.01 || intoSlab > 0.99) continue;
    const double slope = (sway.displacementM(zM + 0.001 * slabM, timeNs).x -
                          sway.displacementM(zM - 0.001 * slabM, timeNs).x) /
                         (0.002 * slabM);
    const Vec3d normal = normalized(Vec3d{1.0, 0.0, -slope});
    worstTurn = std::max(worstTurn, length(cross(normal, normalized(toDouble(hit.facet)))));
  }
  MESSAGE("worst error in range: ", worstM * 1e6, " um, of a normal: ", worstTurn, " rad");
  CHECK(worstM < 3e-5);
  CHECK(worstTurn < 1e-5);
}

TEST_CASE("no ray slips through at the borders of slabs") {
  // Rows of triangles end at the borders.
  const auto built = plateInWind(blowing(0.7), swaySlabs);
  RandomStream random(8, RandomPurpose::beam, 0);
  std::size_t lost = 0;
  for (int ray = 0; ray < 20'000; ++ray) {
    const double border = std::floor(random.uniform(1.0, 8.0)) / 8.0 * 2.0 * halfM;
    const Vec3d fromM{0.0, random.uniform(-3.0, 3.0),
                      ray % 2 == 0 ? border : random.uniform(0.0, 12.0)};
    const Vec3d atM{aheadM, random.uniform(-4.0, 4.0), border};
    const auto timeNs = static_cast<std::int64_t>(random.uniform(0.0, 60e9));
    lost += along(*built, fromM, atM - fromM, timeNs).isHit ? 0 : 1;
  }
  CHECK(lost == 0);
}

TEST_CASE(
    "turned, tilted and scaled plants sway along the wind in the world, by their own height") {
  SceneMaker maker;
  const std::uint16_t model = maker.model(boxMesh(1.0F, maker.material(0.5F)));
  const Vec3d positionM{300.0, -200.0, 40.0};
  const Quatd rotation =
      normalized(rotationAbout({0.0, 0.0, 1.0}, 0.4) * rotationAbout({1.0, 0.0, 0.0}, 0.2));
  maker.place(model, positionM, rotation, 1.5);
  maker.blow(blowing(2.0), model);
  const auto built = maker.build();
  const Sway sway = swayOf(built->scene(), built->scene().instances.front());
  CHECK(sway.heightM == doctest::Approx(3.0));
  RandomStream random(9, RandomPurpose::beam, 0);
  std::size_t met = 0;
  double worstM = 0.0;
  for (int ray = 0; ray < 2000; ++ray) {
    const Vec3d fromM = positionM + Vec3d{random.uniform(-9.0, 9.0), random.uniform(-9.0, 9.0),
                                          random.uniform(3.0, 9.0)};
    const Vec3d atM = positionM + Vec3d{random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0),
                                        random.uniform(-1.0, 1.0)};
    const auto timeNs = static_cast<std::int64_t>(random.uniform(0.0, 60e9));
    const FacetHit hit = along(*built, fromM, atM - fromM, timeNs);
    if (!hit.isHit) continue;
    ++met;
    // The point, where the box is at rest, lies on a face of it.
    const Vec3d pointM = fromM + normalized(atM - fromM) * static_cast<double>(hit.rangeM);
    const Vec3d restM = pointM - sway.displacementM(pointM.z, timeNs);
    const Vec3d inModel = rotate(conjugate(rotation), restM - positionM) * (1.0 / 1.5);
    const double outM = std::max({std::abs(inModel.x), std::abs(inModel.y), std::abs(inModel.z)});
    worstM = std::max(worstM, std::abs(outM - 1.0));
  }
  CHECK(met > 1900);
  MESSAGE("worst distance from a face: ", worstM * 1e6, " um");
  // Positions of hundreds of metres, in single precision.
  CHECK(worstM < 1e-4);
}

TEST_CASE("packets meet swaying plants where single rays do") {
  SceneMaker maker;
  const std::uint16_t model = maker.model(wallMesh(1.0F, 3, maker.material(0.5F)));
  RandomStream random(10, RandomPurpose::beam, 0);
  for (int plant = 0; plant < 40; ++plant) {
    maker.place(model, {random.uniform(3.0, 9.0), random.uniform(-4.0, 4.0), 1.0},
                rotationAbout({0.0, 0.0, 1.0}, random.uniform(0.0, 6.0)));
  }
  maker.blow(blowing(1.0), model);
  const auto built = maker.build();
  std::size_t met = 0;
  for (int packet = 0; packet < 500; ++packet) {
    alignas(64) std::array<std::array<float, 16>, 6> lanes{};
    alignas(64) std::array<std::int64_t, 16> timesNs{};
    const double slope = random.uniform(-0.3, 0.3);
    for (std::size_t lane = 0; lane < 16; ++lane) {
      const Vec3f ahead = toFloat(
          normalized(Vec3d{1.0, slope + random.uniform(-0.05, 0.05), random.uniform(-0.1, 0.0)}));
      lanes[2][lane] = 1.5F;
      lanes[3][lane] = ahead.x;
      lanes[4][lane] = ahead.y;
      lanes[5][lane] = ahead.z;
      timesNs[lane] =
          std::int64_t{7'000'001} * packet + static_cast<std::int64_t>(lane / 9) * 55'296;
    }
    PacketHits<16> hits{};
    hits.rangeM.fill(100.0F);
    built->swaying().nearest({lanes[0].data(), lanes[1].data(), lanes[2].data(), lanes[3].data(),
                              lanes[4].data(), lanes[5].data(), timesNs.data()},
                             16, hits);
    for (std::size_t lane = 0; lane < 16; ++lane) {
      const FacetHit alone = built->swaying().nearest(
          {{0.0F, 0.0F, 1.5F}, {lanes[3][lane], lanes[4][lane], lanes[5][lane]}, timesNs[lane]},
          minHitM({0.0F, 0.0F, 1.5F}), 100.0F);
      REQUIRE((hits.instance[lane] != noInstance) == alone.isHit);
      if (!alone.isHit) continue;
      ++met;
      CHECK(hits.instance[lane] == alone.instance);
      CHECK(hits.primitive[lane] == alone.primitive);
      CHECK(hits.rangeM[lane] == doctest::Approx(alone.rangeM).epsilon(1e-6));
      CHECK(hits.facetX[lane] == doctest::Approx(alone.facet.x).epsilon(1e-4));
    }
  }
  CHECK(met > 4000);
}

TEST_CASE("a scan of swaying plants has their truth, and the bytes of any number of threads") {
  SceneMaker maker;
  const std::uint16_t model = maker.model(wallMesh(1.0F, 2, maker.material(0.5F)));
  for (int plant = 0; plant < 5; ++plant) maker.place(model, {10.0 + plant, plant - 2.0, 1.0});
  maker.blow(breeze, model);
  ScanJob job = standingJob(hdl64e(10.0), {{0.0, 0.0, 1.5}, {}}, 0.5);
  const auto scanned = [&](std::size_t threads) {
    const auto built = maker.build(testDevice(threads));
    return scanAll(*built, job);
  };
  const ScanTable one = scanned(1);
  const ScanTable three = scanned(3);
  CHECK(one.rows > 50);
  CHECK(one.bytes == three.bytes);
  const auto built = maker.build();
  for (std::size_t row = 0; row < one.rows; ++row) {
    REQUIRE(one.at<std::uint8_t>(ReturnColumn::isMoving, row) == 1);
    const auto id = one.at<std::uint32_t>(ReturnColumn::objectId, row);
    const Sway sway = swayOf(built->scene(), built->scene().instances[id - 1]);
    const Vec3d velocity = sway.velocityMPerS(one.real(ReturnColumn::hitZM, row),
                                              one.at<std::int64_t>(ReturnColumn::timeNs, row));
    CHECK(one.real(ReturnColumn::velocityXMPerS, row) == doctest::Approx(velocity.x).epsilon(1e-3));
    const double rangeM = one.real(ReturnColumn::trueRangeM, row);
    const double aheadShare = one.real(ReturnColumn::hitXM, row) / rangeM;
    CHECK(one.real(ReturnColumn::radialVelocityMPerS, row) ==
          doctest::Approx(velocity.x * aheadShare).epsilon(1e-3));
  }
}

TEST_CASE("the velocity of a swaying point is the derivative of its displacement") {
  const auto built = plateInWind(blowing(0.9));
  const Sway sway = swayOf(built->scene(), built->scene().instances.front());
  for (std::int64_t timeNs = 0; timeNs < 3'000'000'000; timeNs += 77'777'777) {
    const Vec3d slope =
        (sway.displacementM(6.0, timeNs + 1000) - sway.displacementM(6.0, timeNs - 1000)) * 5e5;
    CHECK(length(slope - sway.velocityMPerS(6.0, timeNs)) < 1e-6);
  }
}

TEST_CASE("facets of swaying plants that a ray has passed are not met again") {
  const auto built = plateInWind(breeze, 1, gauzeMaterial(0.5, 0.5));
  const FacetHit hit = along(*built, {0.0, 0.5, 3.0}, {1.0, 0.0, 0.0}, 5'000'000);
  REQUIRE(hit.isHit);
  PathRay ray{{0.0F, 0.5F, 3.0F}, {1.0F, 0.0F, 0.0F}, 5'000'000};
  const std::array passed{FacetId{hit.instance, hit.primitive}};
  ray.passed = passed;
  CHECK_FALSE(built->swaying().nearest(ray, 0.0F, 100.0F).isHit);
}

TEST_CASE("without wind, and where a motion displaces it, a plant does not sway") {
  SceneMaker maker;
  const std::uint16_t model = maker.model(wallMesh(1.0F, 1, maker.material(0.5F)));
  maker.place(model, {5.0, 0.0, 1.0});
  CHECK(maker.build()->swaying().isEmpty());
  CHECK(maker.build()->hasStillTrianglesOnly());
  maker.move();
  maker.blow(breeze, model);
  CHECK(maker.build()->swaying().isEmpty());
  CHECK_FALSE(maker.build()->resting().isEmpty());
}

TEST_CASE(
    "tall plants sway slowly, each in its own phase, and bend at most as far as the wind says") {
  SceneMaker maker;
  const std::uint16_t model = maker.model(wallMesh(0.5F, 1, maker.material(0.5F)));
  std::vector<double> heightsM{0.1, 0.49, 2.0, 8.0, 40.0};
  for (const double heightM : heightsM) maker.place(model, {}, {}, heightM);
  Wind storm = breeze;
  storm.speedMPerS = 30.0;
  maker.blow(storm, model);
  const auto built = maker.build();
  double beforeHz = 10.0;
  std::vector<double> phases;
  for (std::size_t plant = 0; plant < heightsM.size(); ++plant) {
    const Sway sway = swayOf(built->scene(), built->scene().instances[plant]);
    CHECK(sway.frequencyHz ==
          doctest::Approx(std::clamp(2.1 / std::sqrt(heightsM[plant]), 0.5, 3.0)));
    CHECK(sway.frequencyHz <= beforeHz);
    beforeHz = sway.frequencyHz;
    CHECK(sway.leanM == doctest::Approx(std::min(0.9, 0.3 * heightsM[plant])));
    phases.push_back(sway.phase);
  }
  std::ranges::sort(phases);
  CHECK(std::ranges::adjacent_find(phases) == phases.end());
}
