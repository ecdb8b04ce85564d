// Gauze, leaves, glass, water, mirrors and signs on the path of a ray, against closed forms.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "core/optics/sceneOptics.h"
#include "core/random/philox.h"
#include "pulses/batchTracer.h"
#include "test/native/support/scenes.h"

using namespace understory;
using doctest::Approx;

namespace {

// All hits of the first pulse, seen from a pose.
std::vector<PathHit> hitsFrom(const TracedScene& scene, const Pose& pose,
                              const SensorRecipe& sensor = singleRaySensor()) {
  const Trajectory stationary{{0}, {pose}};
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

std::vector<PathHit> hitsAhead(SceneMaker& maker, const SensorRecipe& sensor = singleRaySensor()) {
  return hitsFrom(*maker.build(), {}, sensor);
}

double sumOfPathShares(const std::vector<PathHit>& hits) {
  double sum = 0.0;
  for (const PathHit& hit : hits) sum += static_cast<double>(hit.share);
  return sum;
}

double real(float value) { return static_cast<double>(value); }

// A wall across x, its front towards the origin, turned there about the vertical.
std::uint32_t placeWall(SceneMaker& maker, const Material& material, double xM,
                        double turnRad = 0.0, float halfM = 2.0F) {
  return maker.place(maker.model(wallMesh(halfM, 3, maker.material(material))), {xM, 0.0, 0.0},
                     rotationAbout({0.0, 0.0, 1.0}, piRad + turnRad));
}

Material grey(double reflectance) { return {"grey", reflectance, {}}; }

// A face of water at z = 0, its front up, over a bottom.
struct Pond {
  SceneMaker maker;
  std::uint32_t bottom = 0;

  Pond(const Material& water, double depthM, double reflectance, bool isTurned = false) {
    const Quatd up = rotationAbout({0.0, 1.0, 0.0}, isTurned ? 0.5 * piRad : -0.5 * piRad);
    const Quatd upright = rotationAbout({0.0, 1.0, 0.0}, -0.5 * piRad);
    maker.place(maker.model(wallMesh(30.0F, 3, maker.material(water))), {}, up);
    bottom = maker.place(maker.model(wallMesh(30.0F, 3, maker.material(grey(reflectance)))),
                         {0.0, 0.0, -depthM}, upright);
  }
};

// Snell's law for a ray from `heightM` above the face, `degrees` off the vertical.
struct Snell {
  double airM;
  double waterM;
  double cosBehind;

  Snell(double heightM, double depthM, double degrees, double index) {
    const double behindRad = std::asin(std::sin(radians(degrees)) / index);
    airM = heightM / std::cos(radians(degrees));
    waterM = depthM / std::cos(behindRad);
    cosBehind = std::cos(behindRad);
  }
};

Pose lookingDown(double heightM, double degrees) {
  return lookingAlong({0.0, 0.0, heightM},
                      {std::sin(radians(degrees)), 0.0, -std::cos(radians(degrees))});
}

// The share mirrored by one face, by sines and tangents.
double mirroredByFace(double degrees, double index) {
  if (degrees == 0.0) return std::pow((index - 1.0) / (index + 1.0), 2.0);
  const double behindRad = std::asin(std::sin(radians(degrees)) / index);
  const double less = radians(degrees) - behindRad;
  const double more = radians(degrees) + behindRad;
  return 0.5 * (std::pow(std::sin(less) / std::sin(more), 2.0) +
                std::pow(std::tan(less) / std::tan(more), 2.0));
}

}  // namespace

TEST_CASE("gauze of 0.8 lets 0.8 come back, a pane (12/13)², a leaf nothing") {
  const auto wallBehind = [](const Material& sheet) {
    SceneMaker maker;
    placeWall(maker, sheet, 5.0);
    const std::uint32_t wall = placeWall(maker, grey(1.0), 10.0);
    double intensity = 0.0;
    for (const PathHit& hit : hitsAhead(maker)) {
      if (hit.instance + 1 == wall && hit.mirrors == 0) intensity += real(hit.intensity);
    }
    return intensity;
  };
  CHECK(wallBehind(gauzeMaterial(0.05, 0.8)) == Approx(0.8).epsilon(1e-6));
  CHECK(wallBehind(glassMaterial(1.5)) == Approx(144.0 / 169.0).epsilon(1e-6));
  Material leaf = grey(0.48);
  leaf.transmittance = 0.45;
  CHECK(wallBehind(leaf) == 0.0);
}

TEST_CASE("a leaf returns by its reflectance alone, at the wavelength of the laser") {
  Material leaf{"leaf", Spectrum({{680.0, 0.05}, {905.0, 0.48}, {1550.0, 0.3}}), {}};
  leaf.transmittance = Spectrum({{680.0, 0.03}, {905.0, 0.45}, {1550.0, 0.25}});
  SceneMaker maker;
  placeWall(maker, leaf, 5.0, radians(60.0));
  const auto scene = maker.build();
  SensorRecipe sensor = singleRaySensor();
  for (const auto& [wavelengthNm, reflectance] :
       {std::pair{680.0, 0.05}, {905.0, 0.48}, {1550.0, 0.3}}) {
    sensor.wavelengthNm = wavelengthNm;
    const std::vector<PathHit> hits = hitsFrom(*scene, {}, sensor);
    REQUIRE(hits.size() == 1);
    CHECK(real(hits[0].intensity) == Approx(0.5 * reflectance).epsilon(1e-6));
    CHECK(hits[0].share == 1.0F);
  }
}

TEST_CASE("a film of water darkens as Angstrom's formula") {
  const auto intensityOf = [](double wetness) {
    Material soil = grey(0.3);
    soil.wetness = wetness;
    SceneMaker maker;
    placeWall(maker, soil, 5.0);
    return real(hitsAhead(maker).at(0).intensity);
  };
  // 0.3 / (1.7689 * 0.7 + 0.3).
  CHECK(intensityOf(0.0) == Approx(0.3).epsilon(1e-7));
  CHECK(intensityOf(1.0) == Approx(0.195029).epsilon(1e-5));
  CHECK(intensityOf(0.5) == Approx(0.5 * (0.3 + 0.195029)).epsilon(1e-5));
}

TEST_CASE("wet surfaces and leaves keep the fast path, gaps, glass and water leave it") {
  const auto endsRays = [](const Material& material) {
    const std::array<Material, 1> materials{material};
    return sceneOptics(materials, {}, 4, singleRaySensor()).endsRays;
  };
  Material leaf = grey(0.4);
  leaf.transmittance = 0.4;
  leaf.wetness = 0.5;
  CHECK(endsRays(leaf));
  CHECK_FALSE(endsRays(gauzeMaterial(0.4, 0.1)));
  CHECK_FALSE(endsRays(glassMaterial()));
  CHECK_FALSE(endsRays(waterMaterial(1.33, 7.0)));
  CHECK_FALSE(endsRays(mirrorMaterial()));
}

TEST_CASE("a pane shows what is behind it and what it mirrors, by range") {
  SceneMaker maker;
  placeWall(maker, glassMaterial(1.5), 5.0);
  const std::uint32_t ahead = placeWall(maker, grey(1.0), 20.0);
  const std::uint32_t behind = placeWall(maker, grey(0.5), -3.0);
  const std::vector<PathHit> hits = hitsAhead(maker);
  REQUIRE(hits.size() == 2);
  CHECK(hits[0].instance + 1 == behind);
  CHECK(hits[0].mirrors == 1);
  CHECK(real(hits[0].rangeM) == Approx(13.0).epsilon(2e-7));
  CHECK(real(hits[0].share) == Approx(1.0 / 13.0).epsilon(1e-6));
  CHECK(real(hits[0].intensity) == Approx(0.5 / 169.0).epsilon(1e-6));
  CHECK(hits[1].instance + 1 == ahead);
  CHECK(hits[1].mirrors == 0);
  CHECK(real(hits[1].share) == Approx(12.0 / 13.0).epsilon(1e-6));
  CHECK(real(hits[1].intensity) == Approx(144.0 / 169.0).epsilon(1e-6));
  CHECK(sumOfPathShares(hits) == Approx(1.0).epsilon(1e-6));
  maker.mirrorDepth(0);
  CHECK(hitsAhead(maker).size() == 1);
}

TEST_CASE("a tilted pane that absorbs, by each polarisation") {
  // A = exp(-40·0.01 / cos t'), at 60 degrees t' = 35.264 degrees: A = exp(-0.489898) = 0.612689.
  // s: F 0.176571, T = A (1 - F)² / (1 - A² F²) = 0.420344; p: F 0.001802 and 0.610484. Mean 0.515414.
  SceneMaker maker;
  placeWall(maker, glassMaterial(1.5, 40.0, 0.01), 5.0, radians(60.0), 8.0F);
  placeWall(maker, grey(1.0), 10.0);
  const std::vector<PathHit> hits = hitsAhead(maker);
  REQUIRE(hits.size() == 1);
  CHECK(real(hits[0].share) == Approx(0.515414).epsilon(1e-5));
  CHECK(real(hits[0].intensity) == Approx(0.515414 * 0.515414).epsilon(2e-5));
}

TEST_CASE("dirt on a pane is a hit, and takes its share of the rest twice") {
  SceneMaker maker;
  Material dirty = glassMaterial(1.5);
  dirty.reflectance = 0.1;
  placeWall(maker, dirty, 5.0);
  placeWall(maker, grey(1.0), 10.0);
  const std::vector<PathHit> hits = hitsAhead(maker);
  REQUIRE(hits.size() == 2);
  CHECK(real(hits[0].intensity) == Approx(0.1).epsilon(1e-6));
  CHECK(real(hits[0].share) == Approx(0.1).epsilon(1e-6));
  CHECK(real(hits[1].share) == Approx(0.9 * 12.0 / 13.0).epsilon(1e-6));
  CHECK(real(hits[1].intensity) == Approx(0.81 * 144.0 / 169.0).epsilon(1e-6));
}

// Two panes 1 m apart mirror each other: from the second one on every part is 1/13 of the one before.
TEST_CASE("panes mirror each other to the mirror depth") {
  const auto hitsAtDepth = [](std::uint32_t depth) {
    SceneMaker maker;
    maker.mirrorDepth(depth);
    placeWall(maker, glassMaterial(1.5), 5.0);
    placeWall(maker, glassMaterial(1.5), 6.0);
    placeWall(maker, grey(1.0), 10.0);
    return hitsAhead(maker);
  };
  CHECK(hitsAtDepth(1).size() == 1);
  const std::vector<PathHit> hits = hitsAtDepth(2);
  REQUIRE(hits.size() == 2);
  const double through = 12.0 / 13.0;
  CHECK(real(hits[0].share) == Approx(std::pow(through, 2.0)).epsilon(1e-6));
  CHECK(real(hits[1].share) == Approx(std::pow(through / 13.0, 2.0)).epsilon(1e-5));
  CHECK(real(hits[1].rangeM) == Approx(12.0).epsilon(1e-6));
  // (12/13)² (1/13)^4 is below a thousandth.
  CHECK(hitsAtDepth(8).size() == 2);
}

TEST_CASE("a bottom is farther by the index, and its light passes the face twice") {
  for (const double degrees : {0.0, 30.0, 60.0}) {
    Pond pond(waterMaterial(1.33, 7.0), 0.3, 0.4);
    const auto scene = pond.maker.build();
    const Snell snell(2.0, 0.3, degrees, 1.33);
    const std::vector<PathHit> hits = hitsFrom(*scene, lookingDown(2.0, degrees));
    REQUIRE(hits.size() == 1);
    const PathHit& hit = hits[0];
    CHECK(hit.instance + 1 == pond.bottom);
    CHECK(real(hit.rangeM) == Approx(snell.airM + 1.33 * snell.waterM).epsilon(1e-6));
    const double passes = 1.0 - mirroredByFace(degrees, 1.33);
    const double water = std::exp(-7.0 * snell.waterM);
    CHECK(real(hit.share) == Approx(passes * water).epsilon(5e-6));
    CHECK(real(hit.intensity) ==
          Approx(std::pow(passes * water, 2.0) * 0.4 * snell.cosBehind).epsilon(1e-5));
    // Truth: on the bottom, where the refracted ray meets it.
    const Vec3f point = hit.towards * hit.rangeM;
    const double acrossM =
        2.0 * std::tan(radians(degrees)) + 0.3 * std::tan(std::acos(snell.cosBehind));
    CHECK(std::abs(real(point.x) - acrossM) < 1e-5);
    CHECK(std::abs(real(point.z) + 2.3) < 1e-5);
  }
}

TEST_CASE("which way the face of water is wound makes no difference") {
  Pond pond(waterMaterial(1.33, 1.0), 0.3, 0.4, true);
  const std::vector<PathHit> hits = hitsFrom(*pond.maker.build(), lookingDown(2.0, 30.0));
  REQUIRE(hits.size() == 1);
  const Snell snell(2.0, 0.3, 30.0, 1.33);
  CHECK(real(hits[0].rangeM) == Approx(snell.airM + 1.33 * snell.waterM).epsilon(1e-6));
}

TEST_CASE("below the stated depth nothing returns") {
  for (const double degrees : {0.0, 50.0}) {
    Pond shallow(waterMaterial(1.33, 1.0, 0.301), 0.3, 0.4);
    CHECK(hitsFrom(*shallow.maker.build(), lookingDown(2.0, degrees)).size() == 1);
    Pond deep(waterMaterial(1.33, 1.0, 0.299), 0.3, 0.4);
    CHECK(hitsFrom(*deep.maker.build(), lookingDown(2.0, degrees)).empty());
  }
}

// Guenther 1985: 1 / (n H + D)², against 1 / (H + D)² in air.
TEST_CASE(
    "power from the bottom falls with the spread of light, air and water by their own lengths") {
  Pond pond(waterMaterial(1.33, 0.5), 2.0, 0.4);
  pond.maker.air({.extinctionPerM = 0.01});
  SensorRecipe sensor = singleRaySensor();
  sensor.radiometry = Radiometry::radarEquation;
  const std::vector<PathHit> hits = hitsFrom(*pond.maker.build(), lookingDown(10.0, 0.0), sensor);
  REQUIRE(hits.size() == 1);
  const double face = 1.0 - std::pow(0.33 / 2.33, 2.0);
  const double expected = 0.4 * face * face * std::exp(-2.0 * 0.5 * 2.0) *
                          std::exp(-2.0 * 0.01 * 10.0) / std::pow(1.33 * 10.0 + 2.0, 2.0);
  CHECK(real(hits[0].received) == Approx(expected).epsilon(1e-5).scale(0));
  CHECK(hits[0].intensity == hits[0].received);
}

TEST_CASE("water mirrors the bank: F of what goes out, F² of what comes back") {
  Pond pond(waterMaterial(1.33, 7.0, 0.1), 5.0, 0.4);
  const std::uint32_t bank = placeWall(pond.maker, grey(1.0), 12.0, 0.0, 9.0F);
  const std::vector<PathHit> hits = hitsFrom(*pond.maker.build(), lookingDown(2.0, 75.0));
  REQUIRE(hits.size() == 1);
  const double face = mirroredByFace(75.0, 1.33);
  const double sine = std::sin(radians(75.0));
  CHECK(hits[0].instance + 1 == bank);
  CHECK(hits[0].mirrors == 1);
  CHECK(real(hits[0].rangeM) == Approx(12.0 / sine).epsilon(1e-6));
  CHECK(real(hits[0].share) == Approx(face).epsilon(1e-5));
  CHECK(real(hits[0].intensity) == Approx(face * face * sine).epsilon(1e-5));
}

// A mirror below the face sends the light up again, out of the water, to a screen.
TEST_CASE("light that leaves the water is refracted back, or totally reflected") {
  Pond pond(waterMaterial(1.33, 0.2), 30.0, 0.0);
  pond.maker.place(pond.maker.model(wallMesh(5.0F, 3, pond.maker.material(mirrorMaterial()))),
                   {0.0, 0.0, -1.0}, rotationAbout({0.0, 1.0, 0.0}, -0.5 * piRad));
  const std::uint32_t roof =
      pond.maker.place(pond.maker.model(wallMesh(20.0F, 3, pond.maker.material(grey(0.5)))),
                       {0.0, 0.0, 4.0}, rotationAbout({0.0, 1.0, 0.0}, -0.5 * piRad));
  const std::vector<PathHit> hits = hitsFrom(*pond.maker.build(), lookingDown(2.0, 30.0));
  const double face = mirroredByFace(30.0, 1.33);
  const Snell snell(2.0, 1.0, 30.0, 1.33);
  const double upM = 4.0 / std::cos(radians(30.0));
  REQUIRE(hits.size() >= 2);
  for (const PathHit& hit : hits) CHECK(hit.instance + 1 == roof);
  CHECK(real(hits[0].rangeM) == Approx(snell.airM + upM).epsilon(1e-6));
  CHECK(real(hits[0].share) == Approx(face).epsilon(1e-5));
  const double through = std::pow(1.0 - face, 2.0) * std::exp(-0.2 * 2.0 * snell.waterM);
  CHECK(real(hits[1].rangeM) == Approx(snell.airM + upM + 2.0 * 1.33 * snell.waterM).epsilon(1e-6));
  CHECK(real(hits[1].share) == Approx(through).epsilon(1e-5));
  CHECK(real(hits[1].intensity) ==
        Approx(through * through * 0.5 * std::cos(radians(30.0))).epsilon(1e-5));
  CHECK(real(hits[1].cosIncidence) == Approx(std::cos(radians(30.0))).epsilon(1e-6));
}

TEST_CASE("a mirror passes on its specular reflectance, and its square comes back") {
  SceneMaker maker;
  Material mirror = mirrorMaterial();
  mirror.surface.specularReflectance = 0.9;
  placeWall(maker, mirror, 5.0);
  placeWall(maker, grey(0.5), -3.0);
  const std::vector<PathHit> hits = hitsAhead(maker);
  REQUIRE(hits.size() == 1);
  CHECK(real(hits[0].share) == Approx(0.9).epsilon(1e-6));
  CHECK(real(hits[0].intensity) == Approx(0.81 * 0.5).epsilon(1e-6));
}

// Each turn lifts the ray off its facet by 2^-20 of the range; the range counts that.
TEST_CASE("turns do not shorten the way") {
  SceneMaker maker;
  placeWall(maker, mirrorMaterial(), 500.0, 0.0, 20.0F);
  placeWall(maker, grey(0.5), -500.0, 0.0, 20.0F);
  SensorRecipe sensor = singleRaySensor();
  sensor.maxRangeM = 2000.0;
  const std::vector<PathHit> hits = hitsAhead(maker, sensor);
  REQUIRE(hits.size() == 1);
  // One step of a float at 1500 m is 1.2e-4; the lift was 4.8e-4.
  CHECK(std::abs(real(hits[0].rangeM) - 1500.0) < 1.3e-4);
}

TEST_CASE("a sign shines from its front, from behind it is diffuse") {
  Material sign = grey(0.3);
  sign.surface = {
      .kind = SurfaceKind::retroreflector, .gain = 200.0, .halfWidthRad = radians(20.0)};
  SceneMaker front;
  placeWall(front, sign, 5.0);
  CHECK(real(hitsAhead(front).at(0).intensity) == Approx(200.0).epsilon(1e-6));
  CHECK(real(hitsAhead(front).at(0).reflectance) == Approx(200.0).epsilon(1e-6));
  SceneMaker back;
  placeWall(back, sign, 5.0, piRad);
  CHECK(real(hitsAhead(back).at(0).intensity) == Approx(0.3).epsilon(1e-6));
  // A box shows its fronts outside.
  SceneMaker box;
  box.place(box.model(boxMesh(1.0F, box.material(sign))), {5.0, 0.0, 0.0});
  CHECK(real(hitsAhead(box).at(0).intensity) == Approx(200.0).epsilon(1e-6));
  CHECK(real(hitsFrom(*box.build(), {{5.0, 0.0, 0.0}, {}}).at(0).intensity) ==
        Approx(0.3).epsilon(1e-6));
}

TEST_CASE("incidence is exact near head-on, straight and over a mirror") {
  for (const double incidence : {0.0, 1e-5, 2e-4, 1e-3, 0.3}) {
    SceneMaker maker;
    placeWall(maker, grey(0.5), 5.0, incidence);
    const ScanTable table = scanAll(*maker.build(), standingJob(singleRaySensor(), {}, 0.5));
    CHECK(std::abs(table.real(ReturnColumn::incidenceRad, 0) - incidence) < 2e-7);
    SceneMaker over;
    placeWall(over, mirrorMaterial(), 5.0);
    placeWall(over, grey(0.5), -5.0, incidence);
    const ScanTable mirrored = scanAll(*over.build(), standingJob(singleRaySensor(), {}, 0.5));
    CHECK(std::abs(mirrored.real(ReturnColumn::incidenceRad, 0) - incidence) < 2e-7);
  }
}

TEST_CASE("no path gives more than its ray has") {
  RandomStream random(11, RandomPurpose::scatter, 0);
  std::size_t split = 0;
  for (int trial = 0; trial < 60; ++trial) {
    SceneMaker maker;
    maker.mirrorDepth(8);
    for (int sheet = 0; sheet < 6; ++sheet) {
      Material material = grey(random.uniform(0.0, 1.0));
      const double kind = random.uniform(0.0, 5.0);
      if (kind < 1.0) {
        material.gapFraction = random.uniform();
      } else if (kind < 2.5) {
        material = glassMaterial(random.uniform(1.0, 3.0), random.uniform(0.0, 20.0), 0.01);
        material.reflectance = random.uniform(0.0, 0.3);
      } else if (kind < 4.0) {
        material = waterMaterial(random.uniform(1.0, 2.0), random.uniform(0.0, 0.3));
        material.reflectance = random.uniform(0.0, 0.3);
      } else if (kind < 4.5) {
        material = mirrorMaterial();
        material.surface.specularReflectance = random.uniform();
      }
      placeWall(maker, material, 2.0 + sheet, random.uniform(-1.2, 1.2));
    }
    const std::vector<PathHit> hits = hitsAhead(maker);
    split += hits.size() > 2 ? 1U : 0U;
    CHECK(sumOfPathShares(hits) <= 1.0 + 1e-6);
    double back = 0.0;
    for (std::size_t hit = 0; hit < hits.size(); ++hit) {
      back += real(hits[hit].intensity);
      if (hit > 0) CHECK(hits[hit].rangeM >= hits[hit - 1].rangeM);
    }
    CHECK(back <= 1.0 + 1e-6);
  }
  CHECK(split > 20);
}
