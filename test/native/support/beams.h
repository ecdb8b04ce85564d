// Beams for tests of learning: made one by one, or of a plane or a turbid medium in closed form.
#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include "core/log/beams.h"
#include "core/random/philox.h"

namespace understory {

inline void addBeam(Beams& beams, Vec3d originM, Vec3d direction, double rangeM, BeamState state,
                    float intensity = std::numeric_limits<float>::quiet_NaN()) {
  beams.originM.push_back(toFloat(originM));
  beams.direction.push_back(toFloat(normalized(direction)));
  beams.rangeM.push_back(static_cast<float>(rangeM));
  beams.state.push_back(static_cast<std::uint8_t>(state));
  beams.intensity.push_back(intensity);
}
inline void addReturn(Beams& beams, Vec3d originM, Vec3d direction, double rangeM) {
  addBeam(beams, originM, direction, rangeM, BeamState::returned);
}
inline void addMiss(Beams& beams, Vec3d originM, Vec3d direction) {
  addBeam(beams, originM, direction, std::numeric_limits<double>::quiet_NaN(), BeamState::miss);
}

inline double normalNumber(RandomStream& random) {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - random.uniform()));
  return radius * std::cos(2.0 * piRad * random.uniform());
}

// Beams from a point to a square of 4 m around the end of `centreM`, on the plane through it, with noise along the
// range.
inline void addPlane(Beams& beams, Vec3d fromM, Vec3d centreM, Vec3d normal, double noiseM,
                     std::size_t count, std::uint64_t stream) {
  RandomStream random(7, RandomPurpose::pointing, stream);
  const Vec3d n = normalized(normal);
  const Vec3d u = normalized(cross(n, std::abs(n.z) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0}));
  const Vec3d v = cross(n, u);
  for (std::size_t at = 0; at < count; ++at) {
    const Vec3d point = centreM + u * random.uniform(-2, 2) + v * random.uniform(-2, 2);
    const Vec3d offset = point - fromM;
    addReturn(beams, fromM, offset, length(offset) + noiseM * normalNumber(random));
  }
}

// Nearly parallel beams along x through a slab of a turbid medium between x = 0 and `depthM`: free paths are
// exponential with `perM`. Beams that leave it end at the wall, if there is one, and are misses otherwise.
struct WallBehind {
  double xM;
  double noiseM;
};
inline void addSlab(Beams& beams, double depthM, double perM, std::size_t count,
                    std::uint64_t stream = 99, std::optional<WallBehind> wall = {}) {
  RandomStream random(7, RandomPurpose::pointing, stream);
  for (std::size_t at = 0; at < count; ++at) {
    const Vec3d origin{-5.0, random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2)};
    const Vec3d direction =
        normalized(Vec3d{1.0, random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)});
    const double free = -std::log(1.0 - random.uniform()) / perM;
    const double entersM = 5.0 / direction.x;
    if (free * direction.x < depthM) {
      addReturn(beams, origin, direction, entersM + free);
    } else if (wall) {
      const double wallM = (5.0 + wall->xM) / direction.x;
      addReturn(beams, origin, direction, wallM + wall->noiseM * normalNumber(random));
    } else {
      addMiss(beams, origin, direction);
    }
  }
}

// Beams from the origin within 10° of x to a screen at `screenM` that a share passes, and to a wall behind it.
inline void addScreen(Beams& beams, double screenM, double passes, double wallM, double noiseM,
                      std::size_t count, std::uint64_t stream) {
  RandomStream random(7, RandomPurpose::pointing, stream);
  for (std::size_t at = 0; at < count; ++at) {
    const Vec3d direction =
        normalized(Vec3d{1.0, random.uniform(-0.17, 0.17), random.uniform(-0.17, 0.17)});
    const double endM = random.uniform() < passes ? wallM : screenM;
    addReturn(beams, {}, direction, endM / direction.x + noiseM * normalNumber(random));
  }
}

}  // namespace understory
