// Surfaces, spectra and air against closed forms and printed values.
#include <doctest/doctest.h>

#include <cmath>

#include "core/maths/maths.h"
#include "core/optics/atmosphere.h"
#include "core/optics/shading.h"
#include "test/native/support/sensors.h"

using namespace understory;
using doctest::Approx;

TEST_CASE("a rough surface without roughness is Lambert's, to the last digit") {
  for (const double cosine : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    CHECK(backscatter({SurfaceKind::lambertian}, 0.37, cosine) == 0.37 * cosine);
    CHECK(backscatter({SurfaceKind::orenNayar, 0.0}, 0.37, cosine) == 0.37 * cosine);
  }
}

TEST_CASE("Oren and Nayar, seen from the light") {
  const double roughnessRad = radians(20.0);
  const double variance = roughnessRad * roughnessRad;
  // Eq. 30 as printed, with its angles.
  for (const double degrees : {0.0, 15.0, 45.0, 60.0, 80.0}) {
    const double angleRad = radians(degrees);
    const double printed = std::cos(angleRad) * (1.0 - 0.5 * variance / (variance + 0.33) +
                                                 0.45 * variance / (variance + 0.09) *
                                                     std::sin(angleRad) * std::tan(angleRad));
    const Surface surface{SurfaceKind::orenNayar, roughnessRad};
    CHECK(backscatter(surface, 0.4, std::cos(angleRad)) == Approx(0.4 * printed).epsilon(1e-12));
  }
  // Flatter than Lambert's: at 60 degrees it keeps more than half of what it sends back head on.
  const Surface rough{SurfaceKind::orenNayar, roughnessRad};
  CHECK(backscatter(rough, 1.0, 0.5) == Approx(0.62670).epsilon(1e-4));
  CHECK(backscatter(rough, 1.0, 1.0) == Approx(0.86517).epsilon(1e-4));
}

TEST_CASE("a retroreflector has its gain head on and half of it at its half width") {
  const Surface sign{
      .kind = SurfaceKind::retroreflector, .gain = 300.0, .halfWidthRad = radians(15.0)};
  CHECK(backscatter(sign, 0.2, 1.0) == 300.0);
  CHECK(backscatter(sign, 0.2, std::cos(radians(15.0))) == Approx(150.0).epsilon(1e-9));
  CHECK(backscatter(sign, 0.2, std::cos(radians(30.0))) == Approx(300.0 / 16.0).epsilon(1e-9));
  // Far off its lobe it is what its reflectance makes it.
  CHECK(backscatter(sign, 0.2, std::cos(radians(80.0))) == 0.2 * std::cos(radians(80.0)));
  CHECK(backscatter({SurfaceKind::mirror}, 0.9, 1.0) == 0.0);
  // Its back is diffuse.
  CHECK(backscatter(sign, 0.2, 1.0, false) == 0.2);
}

TEST_CASE("power falls with the square of the range and exponentially through air") {
  // Single precision holds it to 6e-8.
  CHECK(static_cast<double>(receivedSignal(0.5F, {}, 50.0, 50.0)) ==
        Approx(0.5 / 2500.0).epsilon(1e-7).scale(0));
  CHECK(static_cast<double>(receivedSignal(0.5F, {0.01}, 50.0, 50.0)) ==
        Approx(0.5 * std::exp(-1.0) / 2500.0).epsilon(1e-7).scale(0));
}

TEST_CASE("a gate reads the reflectance of a diffuse surface that returns as much") {
  CHECK(equivalentReflectance({}, 0.3, 0.5) == 0.3);
  CHECK(equivalentReflectance({}, 0.3, 0.0) == 0.3);
  const Surface sign{
      .kind = SurfaceKind::retroreflector, .gain = 200.0, .halfWidthRad = radians(20.0)};
  CHECK(equivalentReflectance(sign, 0.0, 1.0) == 200.0);
  CHECK(equivalentReflectance(sign, 0.5, std::cos(radians(20.0))) ==
        Approx(100.0 / std::cos(radians(20.0))).epsilon(1e-9));
}

TEST_CASE("clear air by Kruse, fog by Kim") {
  // Half a unit of the printed last digit.
  CHECK(std::abs(extinctionPerM({23.0}, 1064.0) - 7.21e-5) < 0.005e-5);
  CHECK(std::abs(extinctionPerM({23.0}, 905.0) - 8.90e-5) < 0.005e-5);
  // At 550 nm every law is 3.912 / V.
  for (const double visibilityKm : {0.2, 0.7, 3.0, 20.0, 60.0}) {
    const double expected = 3.912 / visibilityKm * 1e-3;
    CHECK(extinctionPerM({visibilityKm, VisibilityLaw::kruse}, 550.0) == Approx(expected).scale(0));
    CHECK(extinctionPerM({visibilityKm, VisibilityLaw::kim}, 550.0) == Approx(expected).scale(0));
  }
  const auto exponent = [](double visibilityKm, VisibilityLaw law) {
    return std::log(extinctionPerM({visibilityKm, law}, 550.0) /
                    extinctionPerM({visibilityKm, law}, 1100.0)) /
           std::log(2.0);
  };
  CHECK(exponent(60.0, VisibilityLaw::kruse) == Approx(1.6));
  CHECK(exponent(10.0, VisibilityLaw::kruse) == Approx(1.3));
  CHECK(exponent(1.0, VisibilityLaw::kruse) == Approx(0.585));
  CHECK(exponent(3.0, VisibilityLaw::kim) == Approx(0.16 * 3.0 + 0.34));
  CHECK(exponent(0.8, VisibilityLaw::kim) == Approx(0.3));
  CHECK(exponent(0.3, VisibilityLaw::kim) == Approx(0.0));
}

TEST_CASE("rain and what is given outright add to it") {
  Atmosphere rain;
  rain.rainMmPerH = 10.0;
  // 1.076 10^0.67 = 5.0328 dB per km.
  CHECK(extinctionPerM(rain, 905.0) ==
        Approx(5.0328e-3 * std::log(10.0) / 10.0).epsilon(1e-4).scale(0));
  CHECK(extinctionPerM(Atmosphere{}, 905.0) == 0.0);
  Atmosphere all = rain;
  all.visibilityKm = 23.0;
  all.extinctionPerM = 2e-3;
  CHECK(extinctionPerM(all, 905.0) ==
        Approx(extinctionPerM(rain, 905.0) + extinctionPerM({23.0}, 905.0) + 2e-3).scale(0));
}

TEST_CASE("a spectrum is linear between its points and constant beyond them") {
  const Spectrum leaf({{550.0, 0.1}, {850.0, 0.5}, {1550.0, 0.3}});
  CHECK(leaf.at(400.0) == 0.1);
  CHECK(leaf.at(700.0) == Approx(0.3));
  CHECK(leaf.at(850.0) == Approx(0.5));
  CHECK(leaf.at(1200.0) == Approx(0.4));
  CHECK(leaf.at(2000.0) == 0.3);
}
