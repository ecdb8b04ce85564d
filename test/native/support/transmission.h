// Transmission of learned elements along the beams of their own log.
#pragma once

#include "learn/ellipsoids.h"
#include "learn/volumeModel.h"
#include "test/native/support/beams.h"

namespace understory {

// Share of the beams around x that pass all elements before `toM`, in the mean.
inline double transmissionBefore(const Beams& beams, const LearnedElements& elements, double toM) {
  const Ellipsoids ellipsoids(gaussiansOf(elements), 3.5, CountingRule::owner);
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t beam = 0; beam < beams.size(); beam += 5) {
    const Vec3d middle = toDouble(beams.originM[beam]) + toDouble(beams.direction[beam]) * 6.0;
    if (std::abs(middle.y) > 0.7 || std::abs(middle.z) > 0.7) continue;
    double passed = 1.0;
    ellipsoids.alongLine(beams.originM[beam], beams.direction[beam], 50.0,
                         [&](std::uint32_t element, const Crossing&) {
                           if (static_cast<double>(elements.meansM[element].x) > toM) return;
                           passed *= static_cast<double>(elements.seen.permeability[element]);
                         });
    sum += passed;
    count += 1.0;
  }
  return sum / count;
}

inline LearnedElements voxelElements(const Beams& beams, double voxelM) {
  return elementsOf(beams, groupForModel(beams, voxelM, 5, CountingRule::owner, {}), {},
                    BeamReach(50.0), {});
}

// Share that passes the elements of a screen which passes 0.7.
inline double screenTransmission() {
  Beams beams;
  addScreen(beams, 10.2, 0.7, 20.0, 0.005, 30000, 8);
  return transmissionBefore(beams, voxelElements(beams, 0.4), 15.0);
}

// Optical depth of a slab of 1.2 in voxels of 0.1 m, over 1.2.
inline double slabDepthRatio() {
  Beams beams;
  addSlab(beams, 1.5, 0.8, 60000);
  return -std::log(transmissionBefore(beams, voxelElements(beams, 0.1), 50.0)) / 1.2;
}

// Permeability of an element at 8 m that all beams of a log end in, where a second log's sensor sees up to 6 m.
inline double permeabilityBeyondSecondSensor() {
  Beams beams;
  for (int at = 0; at < 10; ++at) {
    addReturn(beams, {0, 0.01 * at, 0.01 * (at % 3)}, {1, 0, 0}, 8.0 + 0.01 * (at % 4));
  }
  for (int at = 0; at < 30; ++at) addMiss(beams, {0, 0.002 * at, 0.01}, {1, 0, 0});
  beams.logStarts = {0, 10};
  std::vector<LogHead> heads(2);
  heads[0].maxRangeM = 50.0;
  heads[1].maxRangeM = 6.0;
  const PointGroups groups = groupForModel(beams, 0.4, 5, CountingRule::owner, {});
  const LearnedElements elements = elementsOf(beams, groups, {}, BeamReach(beams, heads), {});
  return elements.size() == 1 ? static_cast<double>(elements.seen.permeability[0]) : -1.0;
}

}  // namespace understory
