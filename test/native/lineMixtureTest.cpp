// The law of the range along a line: its density and what passes add to one (PHYSICS.md, 2.5).
#include <doctest/doctest.h>

#include <vector>

#include "learn/lineMixture.h"

using namespace understory;

namespace {

// By the midpoint rule; 40 steps a deviation of the narrowest member.
double integralOf(const std::vector<LineMember>& members) {
  constexpr double stepM = 0.0005;
  double sum = 0.0;
  for (double rangeM = stepM / 2; rangeM < 20.0; rangeM += stepM) {
    sum += rangeDensity(members, rangeM) * stepM * 1000.0;
  }
  return sum;
}

}  // namespace

TEST_CASE(
    "the density behind an element integrates to one where two triangles lie within their noise") {
  // 0, half and five deviations of the noise apart.
  for (const double apartM : {0.0, 0.01, 0.1}) {
    CAPTURE(apartM);
    std::vector<LineMember> members{{5.0, 0.3, 0.6, false},
                                    {5.2, 0.02, 0.5, true},
                                    {5.2 + apartM, 0.02, 0.3, true},
                                    {9.0, 0.05, 0.0, true}};
    sortAlongLine(members);
    CHECK(integralOf(members) + passedShare(members) == doctest::Approx(1.0).epsilon(1e-4));
  }
}
