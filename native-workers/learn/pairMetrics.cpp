// Distances once for all beams; sums over groups in the order of the beams.
#include "learn/pairMetrics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/cloudDistance.h"

namespace understory {
namespace {

constexpr float behindM = 0.5F;
constexpr std::array<double, 6> rangeEdgesM{0.0, 5.0, 10.0, 20.0, 40.0, 80.0};

double share(double part, double whole) { return whole > 0.0 ? part / whole : unknownNumber; }

// A beam of the log beside the same beam of the other.
struct ComparedBeam {
  bool isReturn = false;
  bool isOther = false;
  float toOtherM = noValue;  // of its end in the log
  float toLogM = noValue;    // of its end in the other
  float cost = noValue;
  bool isUnderSampled = false;
  bool isBehind = false;
};

class Sums {
 public:
  void add(const ComparedBeam& beam) {
    ++counts_.beams;
    ++(beam.isReturn ? counts_.returns : counts_.misses);
    hits_ += beam.isReturn && beam.isOther ? 1.0 : 0.0;
    rightMisses_ += !beam.isReturn && !beam.isOther ? 1.0 : 0.0;
    cost_ += static_cast<double>(beam.cost);
    sparse_ += beam.isUnderSampled ? 1.0 : 0.0;
    behind_ += beam.isBehind ? 1.0 : 0.0;
    if (beam.isReturn) toOtherM_ += static_cast<double>(beam.toOtherM);
    if (!beam.isOther) return;
    others_ += 1.0;
    toLogM_ += static_cast<double>(beam.toLogM);
  }

  PairCounts counts() const {
    PairCounts counts = counts_;
    const auto beams = static_cast<double>(counts.beams);
    const auto returns = static_cast<double>(counts.returns);
    counts.hitsDetected = share(hits_, returns);
    counts.missesDetected = share(rightMisses_, static_cast<double>(counts.misses));
    counts.behind = share(behind_, returns);
    const double there = share(toOtherM_, returns);
    const double back = share(toLogM_, others_);
    counts.cloudM = std::isnan(there) || std::isnan(back) ? unknownNumber : std::max(there, back);
    counts.negLogL = share(cost_, beams);
    counts.underSampled = share(sparse_, beams);
    return counts;
  }

  bool isEmpty() const { return counts_.beams == 0; }

 private:
  PairCounts counts_;
  double hits_ = 0.0;
  double rightMisses_ = 0.0;
  double cost_ = 0.0;
  double sparse_ = 0.0;
  double behind_ = 0.0;
  double toOtherM_ = 0.0;
  double toLogM_ = 0.0;
  double others_ = 0.0;
};

// Distances of the beams' ends with `rangesM` to the ends with `othersM`, by beam; NaN without a return.
std::vector<float> distancesByBeam(const Beams& beams, std::span<const float> rangesM,
                                   std::span<const float> othersM, const Watch& watch) {
  const std::vector<float> found = nearestDistancesM(
      endsOf(beams, rangesM, 0, beams.size()), endsOf(beams, othersM, 0, beams.size()), watch);
  std::vector<float> distances(beams.size(), noValue);
  std::size_t at = 0;
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    if (!std::isnan(rangesM[beam])) distances[beam] = found[at++];
  }
  return distances;
}

std::size_t rangeBinOf(double rangeM) {
  const auto* above = std::ranges::upper_bound(rangeEdgesM, rangeM);
  return static_cast<std::size_t>(above - rangeEdgesM.begin()) - 1;
}

class Histograms {
 public:
  Histograms(double maxRangeM, bool hasModel) {
    result_.rangeStepM = maxRangeM / static_cast<double>(PairHistograms::rangeBins);
    result_.logReturns.resize(PairHistograms::rangeBins);
    result_.otherReturns.resize(PairHistograms::rangeBins);
    constexpr double decades = -PairHistograms::minDecade / PairHistograms::decadesPerBin;
    if (hasModel) result_.likelihood.resize(static_cast<std::size_t>(decades));
  }

  void add(float logM, float otherM, float cost) {
    addRange(result_.logReturns, logM);
    addRange(result_.otherReturns, otherM);
    if (result_.likelihood.empty()) return;
    const double decade = -static_cast<double>(cost) / std::log(10.0);
    const double bin =
        std::floor((decade - PairHistograms::minDecade) / PairHistograms::decadesPerBin);
    const auto last = static_cast<double>(result_.likelihood.size() - 1);
    ++result_.likelihood[static_cast<std::size_t>(std::clamp(bin, 0.0, last))];
  }

  PairHistograms take() { return std::move(result_); }

 private:
  void addRange(std::vector<std::size_t>& bins, float rangeM) const {
    if (std::isnan(rangeM) || !(rangeM >= 0.0F)) return;
    const double bin = std::floor(static_cast<double>(rangeM) / result_.rangeStepM);
    ++bins[static_cast<std::size_t>(std::min(bin, static_cast<double>(bins.size() - 1)))];
  }

  PairHistograms result_;
};

std::vector<ClassMetrics> classMetrics(const std::vector<Sums>& sums,
                                       const std::vector<std::string>& names, const Sums& misses) {
  std::vector<ClassMetrics> classes;
  for (std::size_t id = 0; id < sums.size(); ++id) {
    if (sums[id].isEmpty()) continue;
    const std::string name = id < names.size() ? names[id] : "class " + std::to_string(id);
    classes.push_back({name, sums[id].counts()});
  }
  if (!misses.isEmpty()) classes.push_back({"", misses.counts()});
  return classes;
}

}  // namespace

PairMetrics pairMetricsOf(const Beams& beams, const OtherResult& other,
                          const std::vector<std::string>& classes, double maxRangeM,
                          const Watch& watch) {
  const std::vector<float> toOtherM = distancesByBeam(beams, beams.rangeM, other.rangesM, watch);
  const std::vector<float> toLogM = distancesByBeam(beams, other.rangesM, beams.rangeM, watch);
  Sums whole;
  Sums misses;
  std::vector<Sums> byClass;
  std::array<Sums, rangeEdgesM.size()> byRange;
  Histograms histograms(maxRangeM, !other.costs.empty());
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    const bool isReturn = beams.isReturn(beam);
    if (!isReturn && !beams.isMiss(beam)) continue;
    ComparedBeam compared{
        isReturn, !std::isnan(other.rangesM[beam]), toOtherM[beam], toLogM[beam], noValue, false,
        false};
    compared.isBehind = isReturn && other.rangesM[beam] > beams.rangeM[beam] + behindM;
    if (!other.costs.empty()) compared.cost = other.costs[beam];
    if (!other.isUnderSampled.empty()) compared.isUnderSampled = other.isUnderSampled[beam] != 0;
    whole.add(compared);
    histograms.add(beams.rangeM[beam], other.rangesM[beam], compared.cost);
    if (!isReturn) {
      misses.add(compared);
      continue;
    }
    byRange[rangeBinOf(static_cast<double>(beams.rangeM[beam]))].add(compared);
    if (beams.classIds.empty()) continue;
    const std::size_t id = beams.classIds[beam];
    if (id >= byClass.size()) byClass.resize(id + 1);
    byClass[id].add(compared);
  }
  PairMetrics result;
  result.whole = whole.counts();
  if (!byClass.empty()) result.classes = classMetrics(byClass, classes, misses);
  for (std::size_t bin = 0; bin < byRange.size(); ++bin) {
    if (byRange[bin].isEmpty()) continue;
    const double toM = bin + 1 < rangeEdgesM.size() ? rangeEdgesM[bin + 1]
                                                    : std::numeric_limits<double>::infinity();
    result.ranges.push_back({rangeEdgesM[bin], toM, byRange[bin].counts()});
  }
  result.histograms = histograms.take();
  return result;
}

}  // namespace understory
