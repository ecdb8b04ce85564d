// Lines of pulses as trees of ellipsoids take them, and what they met.
#pragma once

#include <cstddef>

#include "surfaces/embree/ellipsoidTree.h"
#include "surfaces/lines.h"

namespace understory {

inline PathRay rayOf(const PulseLines& lines, std::size_t line) {
  PathRay ray{{lines.originX[line], lines.originY[line], lines.originZ[line]},
              {lines.directionX[line], lines.directionY[line], lines.directionZ[line]}};
  ray.timeNs = lines.timeNs[line];
  return ray;
}

inline EllipsoidLine ellipsoidLineOf(const PulseLines& lines, std::size_t index, float untilM) {
  EllipsoidLine line;
  const PathRay ray = rayOf(lines, index);
  line.originM = ray.originM;
  line.direction = ray.direction;
  line.pulse = lines.pulse[index];
  line.untilM = untilM;
  return line;
}

// Draws the range of a stop and stores it.
inline void storeStop(const EllipsoidLine& line, std::size_t index, LineHits& hits) {
  hits.meanM[index] = line.meanM;
  hits.instance[index] = line.stopInstance;
  hits.primitive[index] = line.stopPrimitive;
  hits.rangeM[index] = line.draws->rangeM(line.stopInstance, line.stopPrimitive, line.pulse,
                                          line.meanM, line.sigmaM);
}

}  // namespace understory
