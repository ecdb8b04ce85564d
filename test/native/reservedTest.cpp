// Reserved for large worlds, and not used by any recipe yet: scene coordinates relative to an origin.
#include <doctest/doctest.h>

#include <cmath>

#include "surfaces/hits.h"
#include "test/native/support/scenes.h"

using namespace understory;

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
