// Parts of a model that pass beams though nothing passes their middle: poles, trunks and boards are narrower than the ellipsoids of
// their returns and than triangles, and what passes beside them makes them permeable. Found by the beams themselves; no such part
// is changed.
#pragma once

#include <cstddef>
#include <vector>

#include "learn/beamReach.h"
#include "learn/ellipsoids.h"

namespace understory {

struct OpaqueCores {
  std::size_t parts = 0;
  double ended = 0.0;      // beams of the log that end in these middles
  double passed = 0.0;     // those of them that pass by the model
  double maxPassed = 0.0;  // of one part
  Vec3d maxPassedAtM;      // where that part is

  double passedShare() const { return ended > 0.0 ? passed / ended : 0.0; }
  void add(const OpaqueCores& others) {
    parts += others.parts;
    ended += others.ended;
    passed += others.passed;
    if (others.maxPassed <= maxPassed) return;
    maxPassed = others.maxPassed;
    maxPassedAtM = others.maxPassedAtM;
  }
};

// `permeability`: by part of the model. `ellipsoids`: of the returns of these parts, in order.
OpaqueCores opaqueCores(const Beams& beams, const std::vector<float>& permeability,
                        const Ellipsoids& ellipsoids, const BeamReach& reach, const Watch& watch);

}  // namespace understory
