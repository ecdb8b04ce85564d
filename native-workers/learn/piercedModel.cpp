// Why a part of a line for a return: its shares depend on nothing else, and a line through a volume pierces many elements.
#include "learn/piercedModel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace understory {
namespace {

constexpr double maxDeviations = 6.0;
// Parts are not judged by others so many times as wide.
constexpr double maxWider = 2.0;
// Why at least: no two triangles on a line give the same range.
constexpr double minSigmaM = 0.001;

}  // namespace

double PiercedModel::triangleSigmaM() const { return std::max(noiseM_, minSigmaM); }

bool PiercedModel::isNear(double rangeM, double meanM, double sigmaM) const {
  return std::abs(rangeM - meanM) <= maxDeviations * std::max(sigmaM, noiseM_);
}

// Triangles are judged by all: they are of one grid.
bool PiercedModel::isMuchWider(std::uint32_t part, std::uint32_t than) const {
  if (isTriangle(than)) return false;
  if (isTriangle(part)) return true;
  return ellipsoids_.widthM(part - firstElement_) >
         maxWider * ellipsoids_.widthM(than - firstElement_);
}

void PiercedModel::alongLine(Vec3f originM, Vec3f direction, double maxM,
                             std::vector<PiercedPart>& met) const {
  triangles_.alongLine(originM, direction, maxM, [&](std::uint32_t triangle, double rangeM) {
    met.push_back({rangeM, triangleSigmaM(), triangle});
  });
  ellipsoids_.alongLine(
      originM, direction, maxM, [&](std::uint32_t element, const Crossing& crossing) {
        met.push_back({crossing.rangeM, crossing.sigmaM, firstElement_ + element});
      });
}

void PiercedModel::prepareReturns(const Watch& watch) {
  origins_ = ellipsoids_.treeWithin(maxDeviations, noiseM_, watch);
}

void PiercedModel::aroundReturn(const ReturnLine& line, std::vector<PiercedPart>& met) const {
  const Vec3d originM = toDouble(line.originM);
  const Vec3d direction = toDouble(line.direction);
  double firstM = std::numeric_limits<double>::infinity();
  double lastM = 0.0;
  const auto extend = [&](std::uint32_t part, double rangeM, double sigmaM) {
    if (part != line.owner && !isNear(line.rangeM, rangeM, sigmaM)) return;
    firstM = std::min(firstM, rangeM);
    lastM = std::max(lastM, rangeM);
  };
  const auto extendElement = [&](std::uint32_t element) {
    const Ellipsoid& one = ellipsoids_.elements()[element];
    const Crossing crossing = crossingOf(one, originM, direction);
    if (!isPierced(one, crossing, line.maxM)) return;
    extend(firstElement_ + element, crossing.rangeM, crossing.sigmaM);
  };
  if (!isTriangle(line.owner)) extendElement(line.owner - firstElement_);
  origins_->at(toFloat(originM + direction * line.rangeM), extendElement);
  triangles_.alongLine(
      line.originM, line.direction, line.maxM,
      [&](std::uint32_t triangle, double rangeM) { extend(triangle, rangeM, triangleSigmaM()); });
  if (firstM > lastM) return;
  triangles_.alongLine(line.originM, line.direction, lastM,
                       [&](std::uint32_t triangle, double rangeM) {
                         if (rangeM >= firstM) met.push_back({rangeM, triangleSigmaM(), triangle});
                       });
  ellipsoids_.betweenRanges(
      line.originM, line.direction, firstM, lastM,
      [&](std::uint32_t element, const Crossing& crossing) {
        met.push_back({crossing.rangeM, crossing.sigmaM, firstElement_ + element});
      });
}

}  // namespace understory
