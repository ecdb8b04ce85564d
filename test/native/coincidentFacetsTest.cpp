// Facets at one place on a ray: of one mesh they count once, of different instances each (PHYSICS.md, 2.1).
#include <doctest/doctest.h>

#include <cmath>

#include "pulses/batchTracer.h"
#include "test/native/support/scenes.h"

using namespace understory;
using doctest::Approx;

namespace {

// Shares of the hits of one ray along x, in order.
std::vector<double> sharesAlongX(const TracedScene& scene) {
  SensorRecipe sensor = singleRaySensor();
  sensor.maxRangeM = 1000.0;
  const Trajectory stationary{{0}, {{}}};
  const SourceTracer<EmbreeScene> tracer(scene.triangles(), scene.truth(), sensor, stationary,
                                         {0, true});
  std::vector<double> shares;
  const PulseVisitor store = [&](const PulseTrace& pulse) {
    for (const PathHit& hit : pulse.hits) shares.push_back(static_cast<double>(hit.share));
  };
  TracedBatch batch;
  tracer.trace(0, {0, 1}, batch, &store);
  return shares;
}

// Every triangle twice, the second wound the other way round: a leaf with a back.
Mesh twoSided(Mesh mesh) {
  const auto front = mesh.triangles;
  for (const auto& [a, b, c] : front) mesh.triangles.push_back({a, c, b});
  mesh.materialOfTriangle.resize(mesh.triangles.size(), mesh.materialOfTriangle[0]);
  return mesh;
}

}  // namespace

TEST_CASE("facets of one mesh at one place let through once") {
  for (const double rangeM : {5.0, 100.0}) {
    // With 1 division the ray meets the diagonal, with 4 a corner of six triangles, with 3 the inside of one.
    for (const std::uint32_t divisions : {1U, 3U, 4U}) {
      CAPTURE(divisions);
      SceneMaker maker;
      const std::uint16_t gauze = maker.material(gauzeMaterial(0.5, 0.5));
      const std::uint16_t grey = maker.material(0.5F);
      maker.place(maker.model(twoSided(wallMesh(2.0F, divisions, gauze))), {rangeM, 0.0, 0.0});
      maker.place(maker.model(wallMesh(2.0F, 3, grey)), {rangeM + 1.0, 0.0, 0.0});
      const std::vector<double> shares = sharesAlongX(*maker.build());
      REQUIRE(shares.size() == 2);
      CHECK(shares[0] == Approx(0.5));
      CHECK(shares[1] == Approx(0.5));
    }
  }
}

TEST_CASE("facets of different instances at one place let through one after the other") {
  for (const double rangeM : {5.0, 100.0}) {
    for (const double apartM : {0.0, 1e-6, 1e-5, 0.01}) {
      CAPTURE(rangeM);
      CAPTURE(apartM);
      SceneMaker maker;
      const std::uint16_t gauze = maker.material(gauzeMaterial(0.5, 0.5));
      const std::uint16_t grey = maker.material(0.5F);
      const std::uint16_t sheet = maker.model(wallMesh(2.0F, 3, gauze));
      maker.place(sheet, {rangeM, 0.0, 0.0});
      maker.place(sheet, {rangeM + apartM, 0.0, 0.0});
      maker.place(maker.model(wallMesh(1.5F, 4, gauze)), {rangeM, 0.0, 0.0});
      maker.place(maker.model(wallMesh(2.0F, 3, grey)), {rangeM + 1.0, 0.0, 0.0});
      const std::vector<double> shares = sharesAlongX(*maker.build());
      REQUIRE(shares.size() == 4);
      CHECK(shares[0] == Approx(0.5));
      CHECK(shares[1] == Approx(0.25));
      CHECK(shares[2] == Approx(0.125));
      CHECK(shares[3] == Approx(0.125));
    }
  }
}

TEST_CASE("only meshes that let light through are asked about their hits") {
  SceneMaker maker;
  const std::uint16_t grey = maker.material(0.5F);
  const std::uint16_t mirror = maker.material(mirrorMaterial());
  maker.place(maker.model(wallMesh(2.0F, 3, grey)), {5.0, 0.0, 0.0});
  maker.place(maker.model(wallMesh(2.0F, 3, mirror)), {6.0, 0.0, 0.0});
  CHECK(maker.build()->triangles().filteredModels() == 0);
  const std::uint16_t gauze = maker.material(gauzeMaterial(0.5, 0.5));
  maker.place(maker.model(wallMesh(2.0F, 3, gauze)), {5.0, 0.0, 0.0});
  CHECK(maker.build()->triangles().filteredModels() == 1);
}
