// Returns of the echoes of a pulse, by mode.
#include <algorithm>
#include <cmath>

#include "core/maths/exactSum.h"
#include "core/mutation.h"
#include "core/returns/hitSums.h"
#include "core/returns/signal.h"

namespace understory {
namespace {

bool isNearerEcho(const SignalEcho& a, const SignalEcho& b) { return a.rangeM < b.rangeM; }

double distanceM(const SignalHit& hit, const SignalEcho& echo) {
  return std::abs(static_cast<double>(hit.rangeM) - echo.rangeM);
}

}  // namespace

void SignalEvaluator::choose() {
  switch (recipe_.mode) {
    case ReturnMode::first:
      return reportFirst();
    case ReturnMode::closest:
      return report(echoes_.front(), {}, false);
    case ReturnMode::strongest:
      return reportAlone(echoes_[strongestEcho(echoes_.size())]);
    case ReturnMode::last:
      return reportAlone(echoes_[lastEcho()]);
    case ReturnMode::strongestAndLast:
      return reportStrongestAndLast();
    case ReturnMode::all:
      for (const SignalEcho& echo : echoes_) {
        if (returns_.size() < maxReturns_) report(echo, echo.hits, false);
      }
      return;
  }
}

// Echoes lie in order of range: the first of equals is the nearest, or the first by the ties' order. `except`: the index
// of an echo that is left out, if any.
std::size_t SignalEvaluator::strongestEcho(std::size_t except) const {
  std::size_t best = except == 0 ? 1 : 0;
  for (std::size_t echo = best + 1; echo < echoes_.size(); ++echo) {
    if (echo != except && echoes_[echo].strength > echoes_[best].strength) best = echo;
  }
  return best;
}

std::size_t SignalEvaluator::lastEcho() const {
  const auto last = std::max_element(echoes_.begin(), echoes_.end(), isNearerEcho);
  return static_cast<std::size_t>(last - echoes_.begin());
}

void SignalEvaluator::reportFirst() {
  const SignalEcho& echo = echoes_.front();
  if (!isEachRayAnEcho_) return report(echo, echo.hits, false);
  const std::size_t first = echo.hits.from;
  const double nearestM = static_cast<double>(signal_[first].rangeM);
  std::size_t to = first + 1;
  while (to < signal_.size() &&
         static_cast<double>(signal_[to].rangeM) - nearestM <= recipe_.signalCutoffM) {
    ++to;
  }
  const HitRange averaged{first, to};
  const double intensity =
      radiometry_ == Radiometry::radarEquation ? energyOfHits(averaged) : meanIntensity(averaged);
  add({meanRangeM(averaged), weightOf(averaged), static_cast<std::uint32_t>(first), echo.hits,
       averaged, averaged},
      intensity, echo);
}

void SignalEvaluator::reportAlone(const SignalEcho& echo) {
  report(echo, recipe_.window ? windowOf(echo) : HitRange{}, recipe_.window);
}

// The strongest and the last; the strongest and the second strongest where the last is the strongest, as manuals of dual
// returns state it. Each has its own rays: a hit in two windows belongs to the nearer centre, ties to the strongest.
void SignalEvaluator::reportStrongestAndLast() {
  const std::size_t strongest = strongestEcho(echoes_.size());
  const SignalEcho& first = echoes_[strongest];
  if (echoes_.size() == 1) return reportAlone(first);
  const std::size_t last = lastEcho();
  const std::size_t second = last != strongest || activeMutation() == Mutation::lastAloneTwice
                                 ? last
                                 : strongestEcho(strongest);
  if (second == strongest) return reportAlone(first);
  const SignalEcho& other = echoes_[second];
  const bool isWindowed = recipe_.window;
  HitRange ofFirst = isWindowed ? windowOf(first) : first.hits;
  HitRange ofOther = isWindowed ? windowOf(other) : other.hits;
  HitRange& nearer = strongest < second ? ofFirst : ofOther;
  HitRange& farther = strongest < second ? ofOther : ofFirst;
  if (nearer.to > farther.from) {
    std::size_t split = std::max(nearer.from, farther.from);
    const auto isOfFarther = [&](std::size_t hit) {
      const double toFirstM = distanceM(signal_[hit], first);
      const double toOtherM = distanceM(signal_[hit], other);
      return strongest < second ? toOtherM < toFirstM : toFirstM <= toOtherM;
    };
    while (split < nearer.to && !isOfFarther(split)) ++split;
    nearer.to = split;
    farther.from = split;
  }
  report(first, ofFirst.to > ofFirst.from ? ofFirst : first.hits, isWindowed);
  if (ofOther.from >= ofOther.to) return;
  report(other, ofOther, isWindowed);
  // One row where averages are the same number.
  if (returns_[0].rangeM == returns_[1].rangeM) {
    returns_.pop_back();
    formed_.pop_back();
  }
}

// Hits within the cutoff of an echo, its own where there are none.
HitRange SignalEvaluator::windowOf(const SignalEcho& echo) const {
  const HitRange around = hitsWithin(echo.rangeM);
  return around.to > around.from ? around : echo.hits;
}

// An echo as a return. `rays`: those that its window or its share is made of; none: its own, or, by the paper's rule,
// the hits within the cutoff of the range.
void SignalEvaluator::report(const SignalEcho& echo, HitRange rays, bool isWindowed) {
  const HitRange own = echo.hits;
  const double rangeM = isWindowed ? meanRangeM(rays) : echo.rangeM;
  const bool isPapers = isEachRayAnEcho_ && !hasSeveralReturns(recipe_.mode);
  const HitRange shared = isPapers ? hitsWithin(rangeM) : rays.to > rays.from ? rays : own;
  const HitRange powered = isWindowed ? rays : shared;
  const double intensity =
      radiometry_ == Radiometry::radarEquation ? energyOfHits(powered) : meanIntensity(own);
  const bool isMean = !waveform_ && own.to > own.from + 1;
  const HitRange averaged = isWindowed ? rays : isMean ? own : HitRange{};
  add({rangeM, weightOf(shared), static_cast<std::uint32_t>(decidingHit(own)), own, averaged,
       shared},
      intensity, echo);
}

void SignalEvaluator::add(FormedReturn formed, double intensity, const SignalEcho& echo) {
  const HitRange rays = formed.shared;
  formed.peakSigmaM = echo.peakSigmaM;
  formed_.push_back(formed);
  returns_.push_back({static_cast<float>(formed.rangeM), static_cast<float>(intensity),
                      static_cast<float>(formed.beamShare), formed.decidingHit});
  const auto number = static_cast<std::uint8_t>(returns_.size());
  for (std::size_t hit = rays.from; hit < rays.to; ++hit) {
    if (returnOfHit_[hit] == 0) returnOfHit_[hit] = number;
  }
}

// Hits within the cutoff of a range, either side: neighbours, since hits are in order of range.
HitRange SignalEvaluator::hitsWithin(double centreM) const {
  const auto isOut = [&](std::size_t hit) {
    return std::abs(static_cast<double>(signal_[hit].rangeM) - centreM) > recipe_.signalCutoffM;
  };
  std::size_t from = 0;
  while (from < signal_.size() && isOut(from)) ++from;
  std::size_t to = from;
  while (to < signal_.size() && !isOut(to)) ++to;
  return {from, to};
}

double SignalEvaluator::meanRangeM(HitRange range) const {
  const std::span<const SignalHit> hits = hitsOf(range);
  if (hits.size() == 1) return static_cast<double>(hits[0].rangeM);
  if (!isEachRayAnEcho_) return meanBySignal(hits);
  double sum = 0.0;
  double weights = 0.0;
  for (const SignalHit& hit : hits) {
    sum += static_cast<double>(hit.weight) * static_cast<double>(hit.rangeM);
    weights += static_cast<double>(hit.weight);
  }
  // Hits on which no energy ends (a leaf that lets all of it pass): the nearest represents them.
  return weights > 0.0 ? sum / weights : static_cast<double>(hits.front().rangeM);
}

double SignalEvaluator::weightOf(HitRange range) const {
  double sum = 0.0;
  for (const SignalHit& hit : hitsOf(range)) sum += static_cast<double>(hit.weight);
  return sum;
}

double SignalEvaluator::energyOfHits(HitRange range) const {
  double sum = 0.0;
  for (const SignalHit& hit : hitsOf(range)) sum += energyOf(hit);
  return sum;
}

double SignalEvaluator::signalOfRays(const FormedReturn& formed) const {
  return sumOfSignals(hitsOf(formed.shared));
}

// Standard deviation of the part of W between the valleys of an echo.
double SignalEvaluator::widthM(const FormedReturn& formed) const {
  if (waveform_) return formed.peakSigmaM;
  const HitRange range = formed.shared;
  const double opensM = static_cast<double>(signal_[range.from].rangeM);
  double weights = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  for (const SignalHit& hit : hitsOf(range)) {
    const double weight = signalOf(hit);
    const double behindM = static_cast<double>(hit.rangeM) - opensM;
    const double spreadM = isEachRayAnEcho_ ? 0.0 : static_cast<double>(hit.spreadM);
    weights += weight;
    sum += weight * behindM;
    squares += weight * (behindM * behindM + spreadM * spreadM);
  }
  if (weights <= 0.0) return pulseSigmaM_;
  const double variance = std::max(0.0, squares / weights - (sum / weights) * (sum / weights));
  if (activeMutation() == Mutation::widthWithoutPulse) return std::sqrt(variance);
  return std::sqrt(variance + pulseSigmaM_ * pulseSigmaM_);
}

// Over rays: what a ray sends back from several hits adds up.
double SignalEvaluator::meanIntensity(HitRange range) {
  if (range.to == range.from + 1) return static_cast<double>(signal_[range.from].intensity);
  ++sums_;
  ExactSum sum;
  double weights = 0.0;
  for (const SignalHit& hit : hitsOf(range)) {
    sum.add(energyOf(hit));
    if (hit.ray >= sumOfRay_.size()) sumOfRay_.resize(hit.ray + 1U, 0);
    if (sumOfRay_[hit.ray] == sums_) continue;
    sumOfRay_[hit.ray] = sums_;
    weights += static_cast<double>(hit.rayWeight);
  }
  return sum.value() / weights;
}

std::size_t SignalEvaluator::decidingHit(HitRange echo) const {
  std::size_t deciding = echo.from;
  for (std::size_t hit = echo.from + 1; hit < echo.to; ++hit) {
    if (strengthOf(signal_[hit]) > strengthOf(signal_[deciding])) deciding = hit;
  }
  return deciding;
}

}  // namespace understory
