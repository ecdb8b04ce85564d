// Deschaud 2012, figure 2: of four beams that enter the left ellipse three end in it; the fourth ends in the right one,
// which the three would have entered. A beam that ends before an element counts neither way.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/counting.h"
#include "test/native/support/beams.h"

namespace understory {

// Round elements of Mahalanobis radius 2.
inline Ellipsoids ballsAt(const std::vector<Vec3d>& meansM, double sigmaM) {
  std::vector<Gaussian> balls;
  const double variance = sigmaM * sigmaM;
  for (const Vec3d mean : meansM) {
    balls.push_back(gaussianOf(mean, {variance, 0, 0, variance, 0, variance}, 0.001));
  }
  return {balls, 2.0, CountingRule::owner};
}

inline Beams beamsOfFigureTwo() {
  Beams beams;
  for (const double y : {-0.05, 0.0, 0.05}) addReturn(beams, {0, y, 0}, {1, 0, 0}, 5.0);
  addReturn(beams, {0, 0.02, 0}, {1, 0, 0}, 8.0);
  return beams;
}

// Permeability of its ellipses: 1/4 and 0.
struct FigureTwo {
  double left;
  double right;
};

inline FigureTwo figureTwoBy(CountingRule rule) {
  const Ellipsoids balls = ballsAt({{5, 0, 0}, {8, 0, 0}}, 0.1);
  const std::vector<std::uint32_t> owner{0, 0, 0, 1};
  const BeamCounts counts = countBeams(beamsOfFigureTwo(), balls, owner, rule, BeamReach(50.0), {});
  return {counts.permeability(0), counts.permeability(1)};
}

}  // namespace understory
