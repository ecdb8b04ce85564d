// Surfaces of a log, and what passes them along lines.
#pragma once

#include "learn/balancedCounts.h"
#include "learn/sheets.h"
#include "learn/triangleCounting.h"
#include "test/native/support/beams.h"

namespace understory {

inline constexpr double horizonM = 60.0;

inline TriangleMesh meshOf(const Beams& beams, const SurfaceOptions& options) {
  const CellCloud cloud = thinnedCloud(beams, {}, cellOfKernel(options.kernelM), {});
  std::vector<Vec3f> normals = normalsOf(cloud, options.kernelM, {});
  turnSheets(beams, cloud, options.kernelM, normals, {});
  return surfaceOf(cloud, normals, options, {});
}

// Counts of triangles by the rule `owner`.
inline BeamCounts balancedOn(const Beams& beams, const Triangles& triangles, double noiseM) {
  const TriangleCounts returns =
      countOnTriangles(beams, {}, triangles, {}, BeamReach(horizonM), {});
  const Ellipsoids none;
  PiercedModel parts(triangles, none, noiseM);
  return balancedCounts(beams, parts, returns.ownerOf, maxCrossingsOfAllLines, BeamReach(horizonM),
                        {});
}

// The mean share of the beams with isJudged(beam) that pass all triangles on their lines.
inline double sharePassed(const Beams& beams, const Triangles& triangles, const BeamCounts& counts,
                          const auto& isJudged) {
  double passed = 0.0;
  double count = 0.0;
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    if (!isJudged(beam)) continue;
    double passes = 1.0;
    triangles.alongLine(
        beams.originM[beam], beams.direction[beam], horizonM,
        [&](std::uint32_t triangle, double) { passes *= counts.permeability(triangle); });
    passed += passes;
    count += 1.0;
  }
  return passed / count;
}

}  // namespace understory
