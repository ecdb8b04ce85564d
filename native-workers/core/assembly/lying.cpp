#include "core/assembly/lying.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace understory {

namespace {

// The shortest turn of the vertical to a unit vector that points upwards.
Quatd turnFromVertical(Vec3d towards) {
  // About the cross product, by half the angle.
  return normalized(Quatd{-towards.y, towards.x, 0.0, 1.0 + towards.z});
}

}  // namespace

void layOnGround(const Boundsf& boundsM, const GroundHeight& groundHeightM, Instance& instance) {
  if (isEmpty(boundsM)) return;
  const double halfM =
      instance.scale *
      static_cast<double>(std::max({-boundsM.min.x, boundsM.max.x, -boundsM.min.y, boundsM.max.y}));
  const Vec3d at = instance.positionM;
  const auto groundAt = [&](double x, double y) {
    return groundHeightM(at.x + halfM * x, at.y + halfM * y);
  };
  const std::array cornersM{groundAt(-1, -1), groundAt(1, -1), groundAt(-1, 1), groundAt(1, 1)};
  const auto& [southWest, southEast, northWest, northEast] = cornersM;
  const double riseX = 0.25 * (southEast + northEast - southWest - northWest);
  const double riseY = 0.25 * (northWest + northEast - southWest - southEast);
  const double meanM = 0.25 * (southWest + southEast + northWest + northEast);
  const double raisedM = std::max(
      {groundAt(0, 0) - meanM, southWest - meanM + riseX + riseY, southEast - meanM - riseX + riseY,
       northWest - meanM + riseX - riseY, northEast - meanM - riseX - riseY});
  const Vec3d normal = normalized(Vec3d{-riseX / halfM, -riseY / halfM, 1.0});
  instance.positionM.z += meanM + raisedM;
  instance.rotation = normalized(turnFromVertical(normal) * instance.rotation);
  instance.scale /= std::sqrt(normal.z);
}

}  // namespace understory
