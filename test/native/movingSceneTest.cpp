// Instances that move: where a ray meets them at its time, against the motion in closed form.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>

#include "surfaces/embree/movingScene.h"
#include "test/native/support/motions.h"
#include "test/native/support/scenes.h"

using namespace understory;

namespace {

// A wall of 4 x 4 m whose middle is `armM` along x from the pivot at the origin; it moves.
std::unique_ptr<const TracedScene> wallOnPivot(double armM) {
  SceneMaker maker;
  maker.place(maker.model(wallMesh(2.0F, 2, maker.material(0.5F))), {armM, 0.0, 0.0});
  maker.move();
  return maker.build();
}

Pose turned(double seconds, double radPerS) {
  return {{}, rotationAbout({0.0, 0.0, 1.0}, radPerS * seconds)};
}

}  // namespace

TEST_CASE(
    "a ray meets a turning wall where it is at the ray's time, within a tenth of a millimetre") {
  // 90 degrees a second, 2 m from the pivot; 5 turns a second.
  for (const double radPerS : {0.5 * piRad, 10.0 * piRad}) {
    const auto built = wallOnPivot(2.0);
    const Motions motions =
        motionsOf(-1, 4, [&](double seconds) { return turned(seconds, radPerS); });
    const MovingScene moving(built->triangles(), built->scene(), motions, Watch{});
    double worstM = 0.0;
    std::size_t met = 0;
    for (std::int64_t timeNs = -100'000'000; timeNs < 300'000'000; timeNs += 137'911) {
      // The wall's plane is at distance 2 from the pivot, square to its arm.
      const double angleRad = radPerS * static_cast<double>(timeNs) * 1e-9;
      const double besideRad = std::remainder(angleRad, 2.0 * piRad);
      if (std::abs(besideRad) > 0.6) continue;
      const double expectedM = 2.0 / std::cos(besideRad);
      const FacetHit hit = moving.nearest({{}, {1.0F, 0.0F, 0.0F}, timeNs}, 0.0F, 100.0F);
      REQUIRE(hit.isHit);
      ++met;
      worstM = std::max(worstM, std::abs(static_cast<double>(hit.rangeM) - expectedM));
      const Vec3f normal = normalized(hit.facet);
      CHECK(std::abs(normal.x) == doctest::Approx(std::abs(std::cos(besideRad))).epsilon(1e-6));
      CHECK(std::abs(normal.y) == doctest::Approx(std::abs(std::sin(besideRad))).epsilon(1e-5));
    }
    CHECK(met > 300);
    MESSAGE("worst error in range: ", worstM * 1e3, " mm at ", radPerS, " rad/s");
    CHECK(worstM < 1e-4);
  }
}

TEST_CASE("packets whose rays lie in several windows meet what single rays do") {
  const auto built = wallOnPivot(5.0);
  const Motions motions = motionsOf(0, 3, [](double seconds) {
    return Pose{{10.0 * seconds, 0.0, 0.0}, rotationAbout({0.0, 0.0, 1.0}, 0.3 * seconds)};
  });
  const MovingScene moving(built->triangles(), built->scene(), motions, Watch{});
  alignas(64) const std::array<float, 8> zeros{};
  alignas(64) std::array<float, 8> ones{};
  ones.fill(1.0F);
  for (const std::int64_t stepNs : {std::int64_t{1'000}, std::int64_t{40'000'000}}) {
    alignas(64) std::array<std::int64_t, 8> timesNs{};
    for (std::size_t lane = 0; lane < timesNs.size(); ++lane) {
      timesNs[lane] = static_cast<std::int64_t>(lane) * stepNs;
    }
    PacketHits<8> packet{};
    packet.rangeM.fill(100.0F);
    moving.nearest({zeros.data(), zeros.data(), zeros.data(), ones.data(), zeros.data(),
                    zeros.data(), timesNs.data()},
                   8, packet);
    for (std::size_t lane = 0; lane < timesNs.size(); ++lane) {
      const FacetHit alone = moving.nearest({{}, {1.0F, 0.0F, 0.0F}, timesNs[lane]}, 0.0F, 100.0F);
      REQUIRE(alone.isHit);
      CHECK(packet.instance[lane] == alone.instance);
      CHECK(packet.rangeM[lane] == doctest::Approx(alone.rangeM).epsilon(1e-6));
    }
  }
}

TEST_CASE(
    "what moves is no part of what is stationary, and is where the scene has it without motions") {
  const auto built = wallOnPivot(7.0);
  CHECK(built->triangles().isEmpty());
  CHECK_FALSE(built->hasStillTrianglesOnly());
  const FacetHit hit = built->sources().nearest({{}, {1.0F, 0.0F, 0.0F}}, 0.0F, 100.0F);
  CHECK(hit.rangeM == doctest::Approx(7.0F));
}

TEST_CASE("a point on a moving instance is found again on the resting one") {
  const auto built = wallOnPivot(3.0);
  const Scene& scene = built->scene();
  const Motions motions = motionsOf(0, 1, [](double seconds) {
    return Pose{{0.0, 4.0 * seconds, 0.0}, rotationAbout({0.0, 0.0, 1.0}, 2.0 * seconds)};
  });
  const Vec3d atRestM{3.0, 0.5, -0.25};
  const Pose by{{0.0, 4.0 * 0.05, 0.0}, rotationAbout({0.0, 0.0, 1.0}, 0.1)};
  const Vec3d movedM = by.positionM + rotate(by.rotation, atRestM);
  const Vec3d found = undisplaced(motions, scene.instances.front(), 50'000'000, movedM);
  CHECK(length(found - atRestM) < 1e-9);
}

TEST_CASE("motions that are not those of the scene are refused") {
  const auto built = wallOnPivot(3.0);
  const Scene& scene = built->scene();
  Motions motions = motionsOf(0, 1, [](double) { return Pose{}; });
  CHECK_NOTHROW(checkMotions(scene, motions));
  CHECK_NOTHROW(checkMotions(scene, Motions{}));
  motions.list.front().steps.pop_back();
  CHECK_THROWS_AS(checkMotions(scene, motions), UnderstoryError);
  motions = motionsOf(0, 1, [](double) { return Pose{}; });
  motions.list.push_back(motions.list.front());
  CHECK_THROWS_AS(checkMotions(scene, motions), UnderstoryError);
}
