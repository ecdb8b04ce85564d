// Faces, panes and refraction against other forms of Fresnel's equations and printed values.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "core/maths/maths.h"
#include "core/optics/fresnel.h"
#include "test/native/support/sensors.h"

using namespace understory;
using doctest::Approx;

namespace {

struct Polarised {
  double s;
  double p;
};

// Fresnel's own form, with sines and tangents of the angles on both sides (Born and Wolf, 1.5.2, eq. 21a).
Polarised bySinesAndTangents(double incidenceRad, double index) {
  const double behindRad = std::asin(std::sin(incidenceRad) / index);
  const double less = incidenceRad - behindRad;
  const double more = incidenceRad + behindRad;
  return {std::pow(std::sin(less) / std::sin(more), 2.0),
          std::pow(std::tan(less) / std::tan(more), 2.0)};
}

// Light through a pane, reflection by reflection.
SplitLight bySeries(double face, double passes) {
  SplitLight sum{0.0, face};
  double inside = (1.0 - face) * passes;
  for (int round = 0; round < 400; ++round) {
    sum.transmitted += inside * (1.0 - face);
    inside *= face * passes;
    sum.mirrored += inside * (1.0 - face);
    inside *= face * passes;
  }
  return sum;
}

}  // namespace

TEST_CASE("a face mirrors what Fresnel's equations give by hand") {
  // ((n - 1) / (n + 1))².
  CHECK(splitAtFace(1.0, 1.5).mirrored == Approx(0.04).epsilon(1e-12));
  CHECK(splitAtFace(1.0, 1.33).mirrored == Approx(0.020059).epsilon(1e-4));
  // n = 1.5, s and p: 5.78 % and 2.53 % at 30 degrees, 17.66 % and 0.18 % at 60. Half of a printed digit.
  CHECK(std::abs(splitAtFace(std::cos(radians(30.0)), 1.5).mirrored - 0.04155) < 5e-5);
  CHECK(std::abs(splitAtFace(std::cos(radians(60.0)), 1.5).mirrored - 0.0892) < 5e-5);
  for (const double index : {1.33, 1.5, 2.4}) {
    for (const double degrees : {1.0, 30.0, 45.0, 60.0, 75.0, 89.0}) {
      const auto [s, p] = bySinesAndTangents(radians(degrees), index);
      const SplitLight light = splitAtFace(std::cos(radians(degrees)), index);
      CHECK(light.mirrored == Approx(0.5 * (s + p)).epsilon(1e-9));
      CHECK(light.mirrored + light.transmitted == Approx(1.0).epsilon(1e-12));
    }
    // At Brewster's angle p is not mirrored, and s is by ((n² - 1) / (n² + 1))².
    const double s = (index * index - 1.0) / (index * index + 1.0);
    CHECK(splitAtFace(std::cos(std::atan(index)), index).mirrored ==
          Approx(0.5 * s * s).epsilon(1e-12));
    CHECK(splitAtFace(0.0, index).mirrored == Approx(1.0).epsilon(1e-7));
  }
}

TEST_CASE(
    "light that leaves water is mirrored as that which enters it, and all beyond 48.75 degrees") {
  const double inside = std::asin(std::sin(radians(30.0)) / 1.33);
  CHECK(splitAtFace(std::cos(inside), 1.0 / 1.33).mirrored ==
        Approx(splitAtFace(std::cos(radians(30.0)), 1.33).mirrored).epsilon(1e-12));
  CHECK(splitAtFace(std::cos(radians(48.7)), 1.0 / 1.33).mirrored < 0.9);
  CHECK(splitAtFace(std::cos(radians(48.8)), 1.0 / 1.33).mirrored == 1.0);
  CHECK(splitAtPane(std::cos(radians(60.0)), 1.0 / 1.33, 0.0, 0.0).mirrored == 1.0);
}

TEST_CASE("a pane of index 1.5 passes 12/13 head on") {
  const SplitLight pane = splitAtPane(1.0, 1.5, 0.0, 0.0);
  CHECK(pane.transmitted == Approx(12.0 / 13.0).epsilon(1e-12));
  CHECK(pane.mirrored == Approx(1.0 / 13.0).epsilon(1e-12));
}

TEST_CASE("a pane keeps nothing without absorption, and is the sum of its reflections") {
  for (const double degrees : {0.0, 30.0, 60.0, 85.0}) {
    const double incidenceRad = radians(degrees);
    const SplitLight clear = splitAtPane(std::cos(incidenceRad), 1.5, 0.0, 0.006);
    CHECK(clear.transmitted + clear.mirrored == Approx(1.0).epsilon(1e-12));
    const auto [s, p] =
        degrees == 0.0 ? Polarised{0.04, 0.04} : bySinesAndTangents(incidenceRad, 1.5);
    const double behindRad = std::asin(std::sin(incidenceRad) / 1.5);
    for (const double absorptionPerM : {0.0, 5.0, 200.0}) {
      const double passes = std::exp(-absorptionPerM * 0.006 / std::cos(behindRad));
      const SplitLight ofS = bySeries(s, passes);
      const SplitLight ofP = bySeries(p, passes);
      const SplitLight pane = splitAtPane(std::cos(incidenceRad), 1.5, absorptionPerM, 0.006);
      CHECK(pane.transmitted == Approx(0.5 * (ofS.transmitted + ofP.transmitted)).epsilon(1e-9));
      CHECK(pane.mirrored == Approx(0.5 * (ofS.mirrored + ofP.mirrored)).epsilon(1e-9));
    }
  }
}

TEST_CASE("refraction keeps the plane of incidence and the product of index and sine") {
  const Vec3d normal{0.0, 0.0, 1.0};
  for (const double degrees : {0.0, 20.0, 50.0, 80.0}) {
    const Vec3d direction{std::sin(radians(degrees)), 0.0, -std::cos(radians(degrees))};
    const Vec3d behind = refracted(direction, normal, 1.33);
    CHECK(behind.x == Approx(std::sin(radians(degrees)) / 1.33));
    CHECK(behind.y == 0.0);
    CHECK(behind.z < 0.0);
    CHECK(length(behind) == Approx(1.0).epsilon(1e-12));
    const Vec3d out = refracted(behind, normal, 1.0 / 1.33);
    CHECK(out.x == Approx(direction.x).epsilon(1e-12));
  }
}
