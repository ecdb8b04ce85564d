// Sums run in the order of the points: threads do not change them.
#include "learn/cloudDistance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/neighbours.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t pieceOfPoints = 1024;
constexpr float unknownM = std::numeric_limits<float>::quiet_NaN();

double meanOf(const std::vector<float>& values) {
  double sum = 0.0;
  for (const float value : values) sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

}  // namespace

std::vector<float> nearestDistancesM(const std::vector<Vec3f>& points,
                                     const std::vector<Vec3f>& others, const Watch& watch) {
  std::vector<float> distances(points.size(), unknownM);
  if (others.empty()) return distances;
  const Neighbours near(others);
  inPieces(points.size(), pieceOfPoints, watch, "distances",
           [&](std::size_t begin, std::size_t end) {
             std::vector<Neighbour> nearest;
             for (std::size_t at = begin; at < end; ++at) {
               near.nearest(points[at], 1, nearest);
               distances[at] = std::sqrt(nearest.front().distance2M2);
             }
           });
  return distances;
}

double cloudDistanceM(const std::vector<Vec3f>& one, const std::vector<Vec3f>& other,
                      const Watch& watch) {
  if (one.empty() || other.empty()) return std::numeric_limits<double>::quiet_NaN();
  return std::max(meanOf(nearestDistancesM(one, other, watch)),
                  meanOf(nearestDistancesM(other, one, watch)));
}

std::vector<SweepRange> sweepsOf(const Beams& beams) {
  std::vector<SweepRange> sweeps;
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    if (beam == 0 || beams.sweep[beam] != beams.sweep[beam - 1]) sweeps.push_back({beam, beam});
    sweeps.back().to = beam + 1;
  }
  return sweeps;
}

std::vector<Vec3f> endsOf(const Beams& beams, std::span<const float> rangesM, std::size_t from,
                          std::size_t to) {
  std::vector<Vec3f> ends;
  for (std::size_t beam = from; beam < to; ++beam) {
    if (std::isnan(rangesM[beam])) continue;
    const auto rangeM = static_cast<double>(rangesM[beam]);
    ends.push_back(
        toFloat(toDouble(beams.originM[beam]) + toDouble(beams.direction[beam]) * rangeM));
  }
  return ends;
}

double sweepDistanceM(const Beams& beams, std::span<const float> oneM,
                      std::span<const float> otherM, const Watch& watch) {
  const std::vector<SweepRange> sweeps = sweepsOf(beams);
  std::vector<double> distances(sweeps.size());
  inPieces(sweeps.size(), 1, watch, "sweeps", [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
      const auto [from, to] = sweeps[at];
      distances[at] =
          cloudDistanceM(endsOf(beams, oneM, from, to), endsOf(beams, otherM, from, to), {});
    }
  });
  std::erase_if(distances, [](double distance) { return std::isnan(distance); });
  if (distances.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0.0;
  for (const double distance : distances) sum += distance;
  return sum / static_cast<double>(distances.size());
}

}  // namespace understory
