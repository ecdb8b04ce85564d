// Sweeps in pieces, sums in their order.
#include "learn/logComparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "learn/cloudDistance.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr float sameOriginM = 0.01F;
constexpr float sameDirection = 1e-4F;
constexpr float nearSweepM = 0.5F;

bool haveSameBeams(const Beams& one, const Beams& other) {
  if (one.size() != other.size()) return false;
  for (std::size_t beam = 0; beam < one.size(); ++beam) {
    if (length(one.originM[beam] - other.originM[beam]) > sameOriginM ||
        length(one.direction[beam] - other.direction[beam]) > sameDirection) {
      return false;
    }
  }
  return true;
}

// A sweep of one log and one of another.
struct SweepPair {
  SweepRange one;
  SweepRange other;
};

std::vector<SweepPair> nearestSweeps(const Beams& one, const Beams& other) {
  std::vector<SweepPair> pairs;
  const std::vector<SweepRange> others = sweepsOf(other);
  for (const SweepRange sweep : sweepsOf(one)) {
    const Vec3f placeM = one.originM[sweep.from];
    const auto apart = [&](const SweepRange& candidate) {
      return length(other.originM[candidate.from] - placeM);
    };
    const auto nearest = std::ranges::min_element(
        others, [&](const auto& a, const auto& b) { return apart(a) < apart(b); });
    if (nearest != others.end() && apart(*nearest) < nearSweepM) pairs.push_back({sweep, *nearest});
  }
  return pairs;
}

struct MeanDistance {
  double meanM = unknownNumber;
  std::size_t count = 0;
};

MeanDistance meanOfPairs(const std::vector<SweepPair>& pairs, const Beams& one, const Beams& other,
                         const Watch& watch) {
  std::vector<double> distances(pairs.size());
  inPieces(pairs.size(), 1, watch, "sweeps", [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
      distances[at] =
          cloudDistanceM(endsOf(one, one.rangeM, pairs[at].one.from, pairs[at].one.to),
                         endsOf(other, other.rangeM, pairs[at].other.from, pairs[at].other.to), {});
    }
  });
  std::erase_if(distances, [](double distance) { return std::isnan(distance); });
  if (distances.empty()) return {};
  double sum = 0.0;
  for (const double distance : distances) sum += distance;
  return {sum / static_cast<double>(distances.size()), distances.size()};
}

// Directed means of a group of ends, in both directions.
struct Directed {
  double sum = 0.0;
  double count = 0.0;
  double mean() const { return count > 0.0 ? sum / count : unknownNumber; }
};

struct GroupOfClouds {
  Directed there;
  Directed back;
  std::size_t returns = 0;

  double distanceM() const {
    const double one = there.mean();
    const double other = back.mean();
    return std::isnan(one) || std::isnan(other) ? unknownNumber : std::max(one, other);
  }
};

std::string classNameOf(const Beams& beams, std::size_t beam,
                        const std::vector<std::string>& names) {
  const std::size_t id = beams.classIds[beam];
  return id < names.size() ? names[id] : "class " + std::to_string(id);
}

// D_pp of whole clouds, with groups by class where both logs have classes.
void compareClouds(const Beams& one, const Beams& other, const std::vector<std::string>& classes,
                   const std::vector<std::string>& otherClasses, LogComparison& result,
                   const Watch& watch) {
  const std::vector<Vec3f> ends = endsOf(one, one.rangeM, 0, one.size());
  const std::vector<Vec3f> otherEnds = endsOf(other, other.rangeM, 0, other.size());
  const bool haveClasses = !one.classIds.empty() && !other.classIds.empty();
  std::map<std::string, GroupOfClouds> groups;
  GroupOfClouds whole;
  const auto add = [&](const Beams& beams, const std::vector<std::string>& names,
                       const std::vector<float>& distances, auto direction) {
    std::size_t at = 0;
    for (std::size_t beam = 0; beam < beams.size(); ++beam) {
      if (std::isnan(beams.rangeM[beam])) continue;
      const double distance = static_cast<double>(distances[at++]);
      const auto addTo = [&](GroupOfClouds& group) {
        Directed& sums = group.*direction;
        sums.sum += distance;
        sums.count += 1.0;
      };
      addTo(whole);
      if (haveClasses) addTo(groups[classNameOf(beams, beam, names)]);
    }
  };
  add(one, classes, nearestDistancesM(ends, otherEnds, watch), &GroupOfClouds::there);
  add(other, otherClasses, nearestDistancesM(otherEnds, ends, watch), &GroupOfClouds::back);
  result.cloudM = whole.distanceM();
  for (const auto& [name, group] : groups) {
    if (group.there.count == 0.0) continue;
    PairCounts counts;
    counts.beams = counts.returns = static_cast<std::size_t>(group.there.count);
    counts.hitsDetected = counts.missesDetected = counts.behind = unknownNumber;
    counts.negLogL = counts.underSampled = unknownNumber;
    counts.cloudM = group.distanceM();
    result.metrics.classes.push_back({name, counts});
  }
}

PairCounts countsOf(const Beams& beams, double cloudM) {
  PairCounts counts;
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    counts.returns += beams.isReturn(beam) ? 1 : 0;
    counts.misses += beams.isMiss(beam) ? 1 : 0;
  }
  counts.beams = counts.returns + counts.misses;
  counts.hitsDetected = counts.missesDetected = counts.behind = unknownNumber;
  counts.negLogL = counts.underSampled = unknownNumber;
  counts.cloudM = cloudM;
  return counts;
}

bool standTogether(const Beams& one, const Beams& other) {
  constexpr float togetherM = 0.1F;
  return one.size() > 0 && other.size() > 0 &&
         length(one.originM.front() - other.originM.front()) < togetherM;
}

// Ends of every other sweep and of the rest; of one sweep, of every other beam and of the rest.
std::array<std::vector<Vec3f>, 2> alternateClouds(const Beams& beams) {
  const std::vector<SweepRange> sweeps = sweepsOf(beams);
  std::array<std::vector<Vec3f>, 2> clouds;
  if (sweeps.size() > 1) {
    for (std::size_t sweep = 0; sweep < sweeps.size(); ++sweep) {
      const std::vector<Vec3f> ends =
          endsOf(beams, beams.rangeM, sweeps[sweep].from, sweeps[sweep].to);
      std::vector<Vec3f>& cloud = clouds[sweep % 2];
      cloud.insert(cloud.end(), ends.begin(), ends.end());
    }
    return clouds;
  }
  const std::vector<Vec3f> ends = endsOf(beams, beams.rangeM, 0, beams.size());
  for (std::size_t at = 0; at < ends.size(); ++at) clouds[at % 2].push_back(ends[at]);
  return clouds;
}

}  // namespace

LogComparison compareLogs(const Beams& one, const Beams& other,
                          const std::vector<std::string>& classes,
                          const std::vector<std::string>& otherClasses, double maxRangeM,
                          const HistogramBins& bins, const Watch& watch) {
  LogComparison result;
  result.haveSameBeams = haveSameBeams(one, other);
  if (result.haveSameBeams) {
    result.metrics = pairMetricsOf(one, {other.rangeM, {}, {}}, classes, maxRangeM, watch);
    result.cloudM = result.metrics.whole.cloudM;
    result.sweepM = sweepDistanceM(one, one.rangeM, other.rangeM, watch);
    result.sweeps = sweepsOf(one).size();
  } else {
    compareClouds(one, other, classes, otherClasses, result, watch);
    result.metrics.whole = countsOf(one, result.cloudM);
    const MeanDistance sweeps = meanOfPairs(nearestSweeps(one, other), one, other, watch);
    result.sweepM = sweeps.meanM;
    result.sweeps = sweeps.count;
  }
  const bool areStationary =
      isStationary(one, bins) && isStationary(other, bins) && standTogether(one, other);
  result.bhattacharyya =
      areStationary ? bhattacharyya(rangeHistogramOf(one, one.rangeM, 0, one.size(), bins),
                                    rangeHistogramOf(other, other.rangeM, 0, other.size(), bins))
                    : unknownNumber;
  return result;
}

LogComparison compareWithItself(const Beams& beams, const HistogramBins& bins, const Watch& watch) {
  LogComparison result;
  const std::vector<SweepRange> sweeps = sweepsOf(beams);
  std::vector<SweepPair> pairs;
  for (std::size_t at = 0; at + 1 < sweeps.size(); ++at) {
    pairs.push_back({sweeps[at], sweeps[at + 1]});
  }
  const MeanDistance mean = meanOfPairs(pairs, beams, beams, watch);
  result.sweepM = mean.meanM;
  result.sweeps = mean.count;
  const auto [one, other] = alternateClouds(beams);
  result.cloudM = cloudDistanceM(one, other, watch);
  result.metrics.whole = countsOf(beams, result.cloudM);
  result.bhattacharyya = unknownNumber;
  if (isStationary(beams, bins)) {
    const HistogramHalves halves = halvesOf(beams, beams.rangeM, bins);
    result.bhattacharyya = bhattacharyya(halves.one, halves.other);
  }
  return result;
}

}  // namespace understory
