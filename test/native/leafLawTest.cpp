// Laws of leaf angles as beams meet them, against values of their closed forms.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "core/maths/maths.h"
#include "core/voxels/leafLaw.h"

using namespace understory;

TEST_CASE("mean projections of leaves are those of their laws") {
  struct Row {
    LeafAngleLaw law;
    std::array<double, 3> projection;  // at zenith angles of 0, 30 and 90 degrees
  };
  const std::array rows{Row{LeafAngleLaw::spherical, {0.5, 0.5, 0.5}},
                        Row{LeafAngleLaw::planophile, {0.849, 0.738, 0.270}},
                        Row{LeafAngleLaw::erectophile, {0.424, 0.451, 0.540}},
                        Row{LeafAngleLaw::plagiophile, {0.679, 0.599, 0.432}},
                        Row{LeafAngleLaw::uniform, {0.637, 0.595, 0.405}}};
  for (const Row& row : rows) {
    const LeafLaw law(row.law);
    for (std::size_t at = 0; at < 3; ++at) {
      const double zenithRad = std::array{0.0, 30.0, 90.0}[at] * piRad / 180.0;
      CHECK(std::abs(law.projection(std::cos(zenithRad)) - row.projection[at]) < 1e-3);
    }
  }
}

TEST_CASE("leaves are met by their cosine to the beam") {
  // Spherical: a density 2c, so that the share below c is c squared, from every direction.
  const LeafLaw law(LeafAngleLaw::spherical);
  for (const double cosZenith : {1.0, 0.7, 0.1}) {
    for (const double share : {0.04, 0.25, 0.49, 0.81}) {
      // The table has 200 inclinations.
      CHECK(std::abs(law.cosineAt(cosZenith, share) - std::sqrt(share)) < 5e-3);
    }
  }
}
