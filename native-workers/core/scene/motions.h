// Where moving instances are: each motion turns them about its centre and takes the centre along, at equal steps of time,
// from where the scene has them. Between two steps they turn evenly and the centre moves straight.
// Why windows that begin at multiples of their length: what a pulse meets depends on its time alone, and on no interval
// that is scanned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contract/contract.h"
#include "core/maths/maths.h"
#include "core/scene/scene.h"
#include "core/sensor/trajectory.h"

namespace understory {

inline constexpr std::int64_t motionWindowNs = bounds::motionWindowNs;
inline constexpr std::int64_t motionStepNs = bounds::motionStepNs;
inline constexpr std::size_t stepsOfMotionWindow = motionWindowNs / motionStepNs;

// The number of the window that holds a time.
inline std::int64_t motionWindowOf(std::int64_t timeNs) {
  return timeNs / motionWindowNs - (timeNs % motionWindowNs < 0 ? 1 : 0);
}

struct Motion {
  Vec3d centreM;  // while nothing is displaced
  // Place of the centre, and the turn about it, from the beginning of the first window to the end of the last.
  std::vector<Pose> steps;
};

struct Motions {
  std::int64_t firstWindow = 0;
  std::vector<Motion> list;  // of equally many steps; empty: nothing is displaced

  std::size_t windows() const {
    return list.empty() ? 1 : (list.front().steps.size() - 1) / stepsOfMotionWindow;
  }
};

// The window in which instances are displaced at a time: before the first and after the last, as at their ends.
std::size_t windowAt(const Motions& motions, std::int64_t timeNs);

// A moving instance at a time; before the first window and after the last as at their ends.
Placement displacedAt(const Motions& motions, const Instance& instance, std::int64_t timeNs);

// The box of a model's box wherever a moving instance of it is during a window.
Boundsf reachOf(const Motions& motions, const Instance& instance, const Boundsf& model,
                std::size_t window);

// Where a point on a moving instance at that time lies while nothing is displaced.
Vec3d undisplaced(const Motions& motions, const Instance& instance, std::int64_t timeNs,
                  Vec3d pointM);

// The velocity, in metres per second, of a point on a moving instance: the derivative of displacedAt.
Vec3d velocityAt(const Motions& motions, const Instance& instance, std::int64_t timeNs,
                 Vec3d pointM);

// Throws 'bad-input' unless there are as many motions as the scene has, or none, over whole windows.
void checkMotions(const Scene& scene, const Motions& motions);

}  // namespace understory
