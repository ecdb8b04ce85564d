// Held-out beams take no part: neither their ends nor their passes count.
#include "learn/voxelSize.h"

#include <limits>

#include "core/random/philox.h"
#include "learn/lineMixture.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr double heldOutShare = 0.1;
constexpr std::size_t maxJudged = 100'000;
constexpr std::size_t pieceOfJudged = 256;

bool isHeldOut(std::uint64_t seed, std::size_t beam) {
  const auto block = pulseBlock(seed, RandomPurpose::heldOut, 0, beam, 0);
  return uniformFrom(block[0], block[1]) < heldOutShare;
}

double meanCost(const Beams& beams, const std::vector<std::uint32_t>& judged,
                const LearnedElements& elements, const Ellipsoids& ellipsoids,
                const BeamReach& reach, const Watch& watch) {
  std::vector<double> costs(judged.size());
  inPieces(judged.size(), pieceOfJudged, watch, "likelihood",
           [&](std::size_t from, std::size_t to) {
             std::vector<LineMember> members;
             for (std::size_t at = from; at < to; ++at) {
               const std::uint32_t beam = judged[at];
               const RangeWindow window{0.0, reach.maxM(beam)};
               members.clear();
               ellipsoids.alongLine(
                   beams.originM[beam], beams.direction[beam], window.maxM,
                   [&](std::uint32_t element, const Crossing& crossing) {
                     members.push_back({crossing.rangeM, crossing.sigmaM,
                                        static_cast<double>(elements.seen.permeability[element]),
                                        false});
                   });
               sortAlongLine(members);
               costs[at] =
                   negativeLogLikelihood(members, static_cast<double>(beams.rangeM[beam]), window);
             }
           });
  double sum = 0.0;
  for (const double cost : costs) sum += cost;
  return sum / static_cast<double>(std::max<std::size_t>(costs.size(), 1));
}

}  // namespace

const std::vector<double>& voxelSizes() {
  static const std::vector<double> sizes{0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 1.0};
  return sizes;
}

double chooseVoxelSize(const Beams& beams, const VolumeOptions& options, std::uint32_t minPoints,
                       std::uint64_t seed, const BeamReach& reach, const Watch& watch) {
  Beams training = beams;
  std::vector<std::uint32_t> heldOut;
  for (std::uint32_t beam = 0; beam < beams.size(); ++beam) {
    if (!isHeldOut(seed, beam)) continue;
    training.state[beam] = static_cast<std::uint8_t>(BeamState::unknown);
    if (beams.isReturn(beam) || beams.isMiss(beam)) heldOut.push_back(beam);
  }
  std::vector<std::uint32_t> judged;
  const std::size_t step = heldOut.size() / maxJudged + 1;
  for (std::size_t at = 0; at < heldOut.size(); at += step) judged.push_back(heldOut[at]);
  double best = voxelSizes().front();
  double least = std::numeric_limits<double>::infinity();
  for (const double sizeM : voxelSizes()) {
    const PointGroups groups = groupForModel(training, sizeM, minPoints, options.counting, watch);
    const LearnedElements elements = elementsOf(training, groups, options, reach, watch);
    const Ellipsoids ellipsoids(gaussiansOf(elements), options.mahalanobisLimit, options.counting);
    const double cost = meanCost(beams, judged, elements, ellipsoids, reach, watch);
    if (cost < least) {
      least = cost;
      best = sizeM;
    }
  }
  return best;
}

}  // namespace understory
