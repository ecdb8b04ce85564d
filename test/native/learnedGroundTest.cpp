// Learned surfaces for a vehicle: the ground under its wheels, and its obstacles (PHYSICS.md, 2.6).
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/learned/learnedGround.h"
#include "test/native/support/learned.h"

using namespace understory;

namespace {

// Two triangles.
void addQuad(LearnedModel& model, const std::array<Vec3f, 4>& corners, float permeability = 0.0F) {
  addTriangle(model, corners[0], corners[1], corners[2], permeability);
  addTriangle(model, corners[0], corners[2], corners[3], permeability);
}

// A plane over [-10, 10] m that rises by a tenth along x.
float groundM(double xM) { return static_cast<float>(0.1 * xM); }
LearnedModel slope() {
  LearnedModel model;
  addQuad(model, {Vec3f{-10, -10, groundM(-10)}, Vec3f{10, -10, groundM(10)},
                  Vec3f{10, 10, groundM(10)}, Vec3f{-10, 10, groundM(-10)}});
  return model;
}

// A thick wall across the slope at x = 4, from y = -3 to 3, 2 m high, with a level top.
void addWall(LearnedModel& model, float permeability = 0.0F) {
  const float foot = groundM(4) - 0.2F;
  const float top = groundM(4) + 2.0F;
  const auto side = [&](float ax, float ay, float bx, float by) {
    addQuad(model,
            {Vec3f{ax, ay, foot}, Vec3f{bx, by, foot}, Vec3f{bx, by, top}, Vec3f{ax, ay, top}},
            permeability);
  };
  side(4, -3, 4, 3);
  side(4.6F, -3, 4.6F, 3);
  side(4, -3, 4.6F, -3);
  side(4, 3, 4.6F, 3);
  addQuad(model, {Vec3f{4, -3, top}, Vec3f{4.6F, -3, top}, Vec3f{4.6F, 3, top}, Vec3f{4, 3, top}},
          permeability);
}

LearnedGround groundOf(const LearnedModel& model, Placement placement = {},
                       const std::function<double(double, double)>& beneath = {}) {
  const PlacedLearned placed{7, placement, model.surface.verticesM, model.surface.triangles,
                             &model};
  return learnedGround(std::span(&placed, 1), beneath, {});
}

float heightAt(const LearnedGround& ground, double xM, double yM) {
  const auto column =
      static_cast<std::size_t>(std::lround((xM - ground.originM[0]) / ground.stepM));
  const auto row = static_cast<std::size_t>(std::lround((yM - ground.originM[1]) / ground.stepM));
  return ground.heightsM[row * ground.columns + column];
}

Boundsf boundsOf(const LearnedGround& ground) {
  Boundsf bounds;
  for (const auto& outline : ground.obstacles) {
    for (const Vec2f corner : outline.cornersM) extend(bounds, Vec3f{corner.x, corner.y, 0.0F});
  }
  return bounds;
}

}  // namespace

TEST_CASE("a learned plane is the ground, and stops nothing") {
  const LearnedGround ground = groundOf(slope());
  REQUIRE(ground.columns >= 81);
  for (const double xM : {-9.0, -2.5, 0.0, 7.25}) {
    CHECK(heightAt(ground, xM, 1.5) == doctest::Approx(0.1 * xM).epsilon(1e-5));
  }
  CHECK(ground.obstacles.empty());
}

TEST_CASE("a learned wall is one obstacle, as wide as it is, and its top is no ground") {
  LearnedModel model = slope();
  addWall(model);
  const LearnedGround ground = groundOf(model);
  // At most the rise of the slope within the wall above the plane, not 2 m.
  CHECK(heightAt(ground, 4.25, 0.0) < groundM(4.25) + 0.2F);
  CHECK(heightAt(ground, 1.0, 0.0) == doctest::Approx(0.1));
  REQUIRE(!ground.obstacles.empty());
  const Boundsf bounds = boundsOf(ground);
  CHECK(bounds.min.x == doctest::Approx(4.0).epsilon(0.005));
  CHECK(bounds.max.x == doctest::Approx(4.6).epsilon(0.005));
  CHECK(bounds.min.y == doctest::Approx(-3.0).epsilon(0.005));
  CHECK(bounds.max.y == doctest::Approx(3.0).epsilon(0.005));
  for (const auto& outline : ground.obstacles) {
    CHECK(outline.instanceId == 7);
    CHECK(outline.body == 0);
    CHECK(outline.cornersM.size() >= 3);
  }
}

TEST_CASE("what passes most beams stops nothing") {
  LearnedModel model = slope();
  addWall(model, 0.8F);
  CHECK(groundOf(model).obstacles.empty());
}

TEST_CASE("an instance is met where it is placed") {
  LearnedModel model = slope();
  addWall(model);
  const Quatd quarter = rotationAbout({0.0, 0.0, 1.0}, piRad / 2.0);
  const LearnedGround ground = groundOf(model, {{100.0, 50.0, 3.0}, quarter, 1.0});
  // Along x becomes along y.
  CHECK(heightAt(ground, 100.0, 48.0) == doctest::Approx(3.0 - 0.2).epsilon(1e-4));
  const Boundsf bounds = boundsOf(ground);
  CHECK(bounds.min.y == doctest::Approx(54.0).epsilon(0.001));
  CHECK(bounds.max.x == doctest::Approx(103.0).epsilon(0.001));
}

TEST_CASE("a learned wall that moves is an obstacle, and neither ground nor cover") {
  const LearnedModel still = slope();
  LearnedModel wall;
  addWall(wall);
  addElement(wall, {1.0F, 1.0F, 1.0F}, 0.1F, 0.5F);
  const std::array placed{
      PlacedLearned{7, {}, still.surface.verticesM, still.surface.triangles, &still},
      PlacedLearned{8, {}, wall.surface.verticesM, wall.surface.triangles, &wall, true}};
  const LearnedGround ground = learnedGround(placed, {}, {});
  CHECK(heightAt(ground, 4.25, 0.0) == doctest::Approx(groundM(4.25)).epsilon(1e-4));
  CHECK(ground.coverM.empty());
  REQUIRE(!ground.obstacles.empty());
  for (const auto& outline : ground.obstacles) CHECK(outline.instanceId == 8);
  CHECK(boundsOf(ground).min.x == doctest::Approx(4.0).epsilon(0.005));
}

TEST_CASE("without learned ground obstacles stand on the ground of the scene") {
  LearnedModel model;
  addWall(model);
  const LearnedGround low = groundOf(model, {}, [](double, double) { return 0.4; });
  REQUIRE(!low.obstacles.empty());
  // A level top alone bears nothing: nothing stands above 1.5 m here, and the wall ends below 0.1 m there.
  const LearnedGround high = groundOf(model, {}, [](double, double) { return 3.0; });
  CHECK(high.obstacles.empty());
}

TEST_CASE("gaps of the ground are filled up to 2 m") {
  LearnedModel model;
  for (const float fromM : {-10.0F, 3.0F, 20.0F}) {
    addQuad(model, {Vec3f{fromM, -5, 1}, Vec3f{fromM + 10, -5, 1}, Vec3f{fromM + 10, 5, 1},
                    Vec3f{fromM, 5, 1}});
  }
  const LearnedGround ground = groundOf(model);
  CHECK(heightAt(ground, 1.5, 0.0) == doctest::Approx(1.0));
  CHECK(std::isnan(heightAt(ground, 16.5, 0.0)));
}

TEST_CASE("elements at the height of a vehicle are ground cover") {
  LearnedModel model = slope();
  addElement(model, {2.0F, 2.0F, groundM(2) + 0.5F}, 0.1F, 0.5F);
  addElement(model, {-2.0F, 2.0F, groundM(-2) + 3.0F}, 0.1F, 0.5F);
  const LearnedGround ground = groundOf(model);
  REQUIRE(ground.coverM.size() == 1);
  CHECK(std::abs(ground.coverM[0].x - 2.0F) <= 0.25F);
}

TEST_CASE("beyond learned ground elements stand on the ground of the scene") {
  LearnedModel model = slope();
  // 4 m beyond the edge of the plane, which is 1 m high there: 0.5 and 2 m above the scene's own ground at 0.
  addElement(model, {14.0F, 2.0F, 0.5F}, 0.1F, 0.5F);
  addElement(model, {14.0F, -2.0F, 2.0F}, 0.1F, 0.5F);
  const LearnedGround ground = groundOf(model, {}, [](double, double) { return 0.0; });
  REQUIRE(ground.coverM.size() == 1);
  CHECK(ground.coverM[0].y > 0.0F);
}
