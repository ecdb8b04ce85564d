// Why a part of a line for a return: its shares depend on nothing else, and a line through a volume pierces many elements.
#include "learn/piercedEllipsoids.h"

#include <algorithm>
#include <limits>

namespace understory {

void PiercedEllipsoids::alongLine(Vec3f originM, Vec3f direction, double maxM,
                                  std::vector<PiercedPart>& met) const {
  ellipsoids_.alongLine(originM, direction, maxM,
                        [&](std::uint32_t element, const Crossing& crossing) {
                          met.push_back({crossing.rangeM, crossing.sigmaM, element});
                        });
}

void PiercedEllipsoids::prepareReturns(const Watch& watch) {
  origins_ = ellipsoids_.treeWithin(maxDeviations, noiseM(), watch);
}

void PiercedEllipsoids::aroundReturn(const ReturnLine& line, std::vector<PiercedPart>& met) const {
  const Vec3d originM = toDouble(line.originM);
  const Vec3d direction = toDouble(line.direction);
  double firstM = std::numeric_limits<double>::infinity();
  double lastM = 0.0;
  const auto extend = [&](std::uint32_t element) {
    const Ellipsoid& one = ellipsoids_.elements()[element];
    const Crossing crossing = crossingOf(one, originM, direction);
    if (!isPierced(one, crossing, line.maxM)) return;
    if (element != line.owner &&
        !isNearReturn(line.rangeM, crossing.rangeM, crossing.sigmaM, noiseM()))
      return;
    firstM = std::min(firstM, crossing.rangeM);
    lastM = std::max(lastM, crossing.rangeM);
  };
  extend(line.owner);
  origins_->at(toFloat(originM + direction * line.rangeM), extend);
  if (firstM > lastM) return;
  ellipsoids_.betweenRanges(line.originM, line.direction, firstM, lastM,
                            [&](std::uint32_t element, const Crossing& crossing) {
                              met.push_back({crossing.rangeM, crossing.sigmaM, element});
                            });
}

}  // namespace understory
