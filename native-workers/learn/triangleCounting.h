// Returns of triangles. Rule `ellipsoid`, the papers' (Browning 2012, 3.3.2): a beam is a hit of every triangle that it crosses
// within Δ_r of its range, a miss of those that it crosses and ends farther behind. Rule `owner`: a return is of the triangle that its
// line crosses nearest to it, within four Δ_r; hits and misses follow from the balance of all parts (balancedCounts.h).
#pragma once

#include <vector>

#include "learn/counting.h"
#include "learn/triangles.h"

namespace understory {

struct TriangleCounts {
  BeamCounts counts;                // empty by the rule `owner`
  std::vector<double> reflectance;  // Σ ρ / Σ cos θ of the hits; NaN: none has one that is known
  std::vector<std::uint32_t>
      ownerOf;  // by beam: a triangle that its return is a hit of, or noGroup
};

struct TriangleCounting {
  CountingRule rule = CountingRule::owner;
  double offsetM = 0.5;           // Δ_r
  double intensityOfWhite = 0.0;  // 0: unknown
};

// `members`: by the rule `owner` the returns that may be of triangles; all where it is empty.
TriangleCounts countOnTriangles(const Beams& beams, const std::vector<std::uint32_t>& members,
                                const Triangles& triangles, const TriangleCounting& counting,
                                const BeamReach& reach, const Watch& watch);

}  // namespace understory
