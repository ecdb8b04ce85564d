// One line a beam; sums run in the order of the beams.
#include "learn/evaluation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/learnedLines.h"
#include "learn/neighbours.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t pieceOfLines = 1024;
constexpr double unknownNumber = std::numeric_limits<double>::quiet_NaN();

double share(double part, double whole) { return whole > 0.0 ? part / whole : unknownNumber; }

// Mean distance from each point to the nearest of others.
double directedMeanM(const std::vector<Vec3f>& from, const Neighbours& to, const Watch& watch) {
  std::vector<float> distances(from.size());
  inPieces(from.size(), pieceOfLines, watch, "distances", [&](std::size_t begin, std::size_t end) {
    std::vector<Neighbour> nearest;
    for (std::size_t at = begin; at < end; ++at) {
      to.nearest(from[at], 1, nearest);
      distances[at] = std::sqrt(nearest.front().distance2M2);
    }
  });
  double sum = 0.0;
  for (const float distance : distances) sum += static_cast<double>(distance);
  return sum / static_cast<double>(from.size());
}

// Ends of the beams of a sweep, or of all, in the log and in the model.
struct BothClouds {
  std::vector<Vec3f> logM;
  std::vector<Vec3f> modelM;
};

}  // namespace

double cloudDistanceM(const std::vector<Vec3f>& one, const std::vector<Vec3f>& other,
                      const Watch& watch) {
  if (one.empty() || other.empty()) return unknownNumber;
  const Neighbours nearOne(one);
  const Neighbours nearOther(other);
  return std::max(directedMeanM(one, nearOther, watch), directedMeanM(other, nearOne, watch));
}

Evaluation evaluateModel(const LearnedModel& model, const Beams& beams, Vec3d modelFromLogM,
                         const RangeWindow& window, std::uint64_t seed, const Watch& watch) {
  const LearnedLines lines(model);
  std::vector<float> drawnM(beams.size(), std::numeric_limits<float>::quiet_NaN());
  std::vector<float> costs(beams.size(), std::numeric_limits<float>::quiet_NaN());
  std::vector<std::uint8_t> isUnderSampled(beams.size());
  inPieces(beams.size(), pieceOfLines, watch, "evaluation", [&](std::size_t from, std::size_t to) {
    std::vector<MetMember> met;
    std::vector<LineMember> members;
    for (std::size_t beam = from; beam < to; ++beam) {
      if (!beams.isReturn(beam) && !beams.isMiss(beam)) continue;
      const Vec3f originM = toFloat(toDouble(beams.originM[beam]) + modelFromLogM);
      lines.meet(originM, beams.direction[beam], window.maxM, met);
      members.assign(met.begin(), met.end());
      costs[beam] = static_cast<float>(
          negativeLogLikelihood(members, static_cast<double>(beams.rangeM[beam]), window));
      const DrawnRange drawn = drawRange(met, seed, beam, window.maxM);
      drawnM[beam] = static_cast<float>(drawn.rangeM);
      isUnderSampled[beam] = drawn.isUnderSampled ? 1 : 0;
    }
  });
  Evaluation result;
  BothClouds all;
  BothClouds sweep;
  double cost = 0.0;
  double hits = 0.0;
  double rightMisses = 0.0;
  double sparse = 0.0;
  double sweepSum = 0.0;
  double sweeps = 0.0;
  const auto endSweep = [&] {
    const double distanceM = cloudDistanceM(sweep.logM, sweep.modelM, {});
    sweep = {};
    if (std::isnan(distanceM)) return;
    sweepSum += distanceM;
    sweeps += 1.0;
  };
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    if (beam > 0 && beams.sweep[beam] != beams.sweep[beam - 1]) endSweep();
    const bool isReturn = beams.isReturn(beam);
    if (!isReturn && !beams.isMiss(beam)) continue;
    const bool isDrawn = !std::isnan(drawnM[beam]);
    ++result.beams;
    ++(isReturn ? result.returns : result.misses);
    hits += isReturn && isDrawn ? 1.0 : 0.0;
    rightMisses += !isReturn && !isDrawn ? 1.0 : 0.0;
    cost += static_cast<double>(costs[beam]);
    sparse += isUnderSampled[beam];
    if (isReturn) {
      all.logM.push_back(toFloat(beams.endM(beam)));
      sweep.logM.push_back(all.logM.back());
    }
    if (isDrawn) {
      all.modelM.push_back(beams.originM[beam] + beams.direction[beam] * drawnM[beam]);
      sweep.modelM.push_back(all.modelM.back());
    }
  }
  endSweep();
  const auto counted = static_cast<double>(result.beams);
  result.hitsDetected = share(hits, static_cast<double>(result.returns));
  result.missesDetected = share(rightMisses, static_cast<double>(result.misses));
  result.sweepM = share(sweepSum, sweeps);
  result.cloudM = cloudDistanceM(all.logM, all.modelM, watch);
  result.negLogL = share(cost, counted);
  result.underSampled = share(sparse, counted);
  return result;
}

}  // namespace understory
