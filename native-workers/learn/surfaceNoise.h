// Range noise on surfaces (core/learned/learnedDraws.h, surfaceSigmaM), learned from the returns of flat patches.
#pragma once

#include "core/log/beams.h"
#include "core/watch.h"

namespace understory {

struct SurfaceNoise {
  double sigmaM = 0.0;           // σ0
  double incidenceSigmaM = 0.0;  // σa
  std::size_t returns =
      0;  // that it was learned from; 0: the values are those of Browning 2012, 6.2.1
};

// Residuals of ranges to the planes of voxels of 0.5 m whose returns are flat: sphericity below 0.015, not a line, 30
// returns at least; of 1 m or 2 m where the noise is above 20 or 40 mm. Returns that a face of the voxel may cut off do not
// count. Weighted least squares over bins of θ. A pure function of the beams.
SurfaceNoise learnSurfaceNoise(const Beams& beams, const Watch& watch);

}  // namespace understory
