// Heights from above: the highest of what lies there, anywhere in the world.
#include <doctest/doctest.h>

#include "core/assembly/summary.h"
#include "surfaces/heightAt.h"
#include "test/native/support/scenes.h"

using namespace understory;

namespace {

std::optional<double> heightIn(const TracedScene& scene, double xM, double yM) {
  return heightAt(scene.sources(), scene.scene(), sceneBounds(scene.scene()), xM, yM);
}

}  // namespace

TEST_CASE("the height of a place is that of the highest surface") {
  SceneMaker maker;
  const std::uint16_t grey = maker.material(0.5F);
  const std::uint16_t box = maker.model(boxMesh(1.0F, grey));
  maker.place(box, {0.0, 0.0, 2.0});
  maker.place(box, {0.0, 0.0, 40.0}, {}, 0.5);
  maker.place(box, {500.0, -300.0, -7.0});
  const auto scene = maker.build();
  // Single precision on a ray of 50 m.
  CHECK(heightIn(*scene, 0.25, 0.125).value() == doctest::Approx(40.5).epsilon(1e-6));
  CHECK(heightIn(*scene, 0.75, 0.125).value() == doctest::Approx(3.0).epsilon(1e-5));
  CHECK(heightIn(*scene, 500.25, -299.5).value() == doctest::Approx(-6.0).epsilon(1e-5));
  CHECK_FALSE(heightIn(*scene, 3.0, 0.0).has_value());
}

TEST_CASE("an empty scene has no heights") {
  SceneMaker maker;
  maker.material(0.5F);
  CHECK_FALSE(heightIn(*maker.build(), 0.0, 0.0).has_value());
}
