// How plants sway in the wind (PHYSICS.md, 2.9): the horizontal displacement of a point of a plant, by its height and the
// time. Heights stay, so that a point's displacement depends on nothing but where it is, and the way back is exact.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/maths/maths.h"
#include "core/scene/scene.h"

namespace understory {

// Slabs of a plant's height within which its displacement grows evenly.
inline constexpr std::size_t swaySlabs = 8;

// The displacement at each border of the slabs from the root to the top, as a share of the top's: the power of the
// height, 2.5, there.
const std::array<double, swaySlabs + 1>& swayShares();

// One plant in the wind.
struct Sway {
  Vec3d rootM;         // its lowest point, on its axis
  double heightM;      // of the top above the root
  Vec3d towards;       // of length 1, horizontal
  double leanM;        // of the top, by the mean wind
  double swingM;       // of the top to each side of it
  double frequencyHz;  // of the first mode
  double phase;        // at time 0, in turns

  // The greatest displacement at any time.
  double maxM() const { return leanM + swingM; }
  // At a point that lies at this height, by the time.
  Vec3d displacementM(double zM, std::int64_t timeNs) const;
  Vec3d velocityMPerS(double zM, std::int64_t timeNs) const;
};

// Whether the wind moves an instance: those of models that sway, unless a motion displaces them.
inline bool sways(const Scene& scene, const Instance& instance) {
  return scene.wind && scene.models[instance.model].sways && !instance.isMoving();
}

// Only of instances that sway.
Sway swayOf(const Scene& scene, const Instance& instance);

// Where a point on an instance that may sway lies while nothing is displaced.
inline Vec3d unswayed(const Scene& scene, const Instance& instance, std::int64_t timeNs,
                      Vec3d pointM) {
  if (!sways(scene, instance)) return pointM;
  return pointM - swayOf(scene, instance).displacementM(pointM.z, timeNs);
}

}  // namespace understory
