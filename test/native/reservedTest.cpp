// Reserved for moving objects and large worlds, and not used by any recipe yet: a time for each ray, positions of an
// instance over time, scene coordinates relative to an origin.
#include <doctest/doctest.h>

#include <cmath>

#include "surfaces/hits.h"
#include "test/native/support/scenes.h"

using namespace understory;

TEST_CASE("an instance with a further position is hit where it is at the ray's time") {
  Scene scene;
  scene.classes = {"none", "thing"};
  scene.materials.push_back({"grey", 0.5F, {}});
  Model wall;
  wall.mesh = wallMesh(1.0F, 2, 0);
  scene.models.push_back(wall);
  scene.instances.push_back({1, 0, 1, {10.0, 0.0, 0.0}, {}, 1.0});
  scene.instances.push_back({2, 0, 1, {40.0, 0.0, 0.0}, {}, 1.0});  // stationary
  scene.motions.push_back({0, {{20.0, 0.0, 0.0}}});
  const TracedScene built(testDevice(), scene, Watch{});
  for (const float time : {0.0F, 0.25F, 0.5F, 1.0F}) {
    CAPTURE(time);
    const PathRay ahead{{}, {1.0F, 0.0F, 0.0F}, time};
    const FacetHit hit = built.triangles().nearest(ahead, 0.0F, 100.0F);
    CHECK(hit.instance == 0);
    CHECK(hit.rangeM == doctest::Approx(10.0F + 10.0F * time).epsilon(1e-6));
    // Beyond the moving wall the other is at its place.
    CHECK(built.triangles().nearest(ahead, 25.0F, 100.0F).rangeM == doctest::Approx(40.0F));
    alignas(64) const std::array<float, 4> zeros{};
    alignas(64) const std::array<float, 4> ones{1.0F, 1.0F, 1.0F, 1.0F};
    alignas(64) const std::array<float, 4> times{time, 0.0F, time, 1.0F};
    PacketHits<4> packet{};
    packet.rangeM.fill(100.0F);
    built.triangles().nearest({zeros.data(), zeros.data(), zeros.data(), ones.data(), zeros.data(),
                               zeros.data(), times.data()},
                              4, packet);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      CHECK(packet.rangeM[lane] == doctest::Approx(10.0F + 10.0F * times[lane]).epsilon(1e-6));
    }
  }
}

TEST_CASE("motions that name no instance are refused") {
  Scene scene;
  scene.materials.push_back({"grey", 0.5F, {}});
  Model wall;
  wall.mesh = wallMesh(1.0F, 2, 0);
  scene.models.push_back(wall);
  scene.instances.push_back({1, 0, 0, {}, {}, 1.0});
  scene.motions.push_back({1, {{20.0, 0.0, 0.0}}});
  CHECK_THROWS_AS(TracedScene(testDevice(), scene, Watch{}), UnderstoryError);
}

TEST_CASE("a scene far from the world's origin scans as it does at it, to the bit") {
  const Vec3d farM{524288.0, -262144.0, 0.0};  // exact in single precision, too
  const auto scanAt = [&](Vec3d originM) {
    Scene scene;
    scene.classes = {"none", "thing"};
    scene.materials.push_back({"grey", 0.5F, {}});
    Model wall;
    wall.mesh = wallMesh(5.0F, 3, 0);
    scene.models.push_back(wall);
    scene.instances.push_back({1, 0, 1, {10.1, 0.3, 0.0}, {}, 1.0});
    scene.originM = originM;
    const TracedScene built(testDevice(), scene, Watch{});
    ScanJob job = standingJob(hdl64e(10.0), {originM + Vec3d{0.0, 0.0, 0.5}, {}}, 0.05);
    job.columns = {ReturnColumn::trueRangeM, ReturnColumn::rangeM, ReturnColumn::intensity};
    return scanAll(built, job);
  };
  const ScanTable near = scanAt({});
  const ScanTable far = scanAt(farM);
  CHECK(near.rows > 1000);
  CHECK(near.totals.hash == far.totals.hash);
}
