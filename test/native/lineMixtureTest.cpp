// The law of the range along a line: its density and what passes add to one (PHYSICS.md, 2.5).
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "learn/learnedLines.h"
#include "learn/lineMixture.h"

using namespace understory;

namespace {

// By the midpoint rule; 40 steps a deviation of the narrowest member.
double integralOf(const std::vector<LineMember>& members, double fromM = 0.0, double toM = 20.0) {
  constexpr double stepM = 0.0005;
  double sum = 0.0;
  for (double rangeM = fromM + stepM / 2; rangeM < toM; rangeM += stepM) {
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

TEST_CASE("what a sensor does not report is no return, as where ranges are drawn") {
  std::vector<LineMember> members{{0.4, 0.3, 0.7, false},
                                  {5.0, 0.3, 0.6, false},
                                  {5.2, 0.02, 0.5, true},
                                  {7.9, 0.2, 0.4, false},
                                  {8.0, 0.05, 0.5, true}};
  sortAlongLine(members);
  for (const RangeWindow window :
       {RangeWindow{0.0, 20.0}, RangeWindow{0.6, 8.05}, RangeWindow{1.0, 5.1}}) {
    CAPTURE(window.maxM);
    const double unreported = unreportedShare(members, window);
    const double reported = integralOf(members, window.minM, window.maxM);
    CHECK(reported + passedShare(members) + unreported == doctest::Approx(1.0).epsilon(1e-3));
    CHECK((unreported > 0.01) == (window.maxM < 20.0));
  }
}

TEST_CASE("ranges on an element that a triangle ends are drawn and judged at the triangle") {
  const std::vector<LineMember> members{{5.0, 0.3, 0.0, false}, {5.2, 0.02, 0.0, true}};
  const double tail = 0.5 * std::erfc(0.2 / 0.3 / std::sqrt(2.0));
  CHECK(integralOf(members, 5.199, 5.201) == doctest::Approx(tail).epsilon(0.01));
  CHECK(integralOf(members, 5.201, 20.0) == 0.0);
  std::vector<MetMember> met;
  for (const LineMember& member : members) met.push_back({member, 10, 0});
  met[1].primitive = 1;
  double atTriangle = 0.0;
  const double draws = 20'000.0;
  for (std::uint64_t beam = 0; beam < 20'000; ++beam) {
    const double rangeM = drawRange(met, 3, beam, {0.0, 20.0}).rangeM;
    CHECK(rangeM <= 5.2);
    if (rangeM == 5.2) atTriangle += 1.0;
  }
  CHECK(std::abs(atTriangle / draws - tail) < 3.3 * std::sqrt(tail * (1.0 - tail) / draws));
}
