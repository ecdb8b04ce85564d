// Echoes and return modes of pulses of any beam.
#include "core/returns/signal.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/maths/exactSum.h"
#include "core/mutation.h"
#include "core/returns/gate.h"

namespace understory {
namespace {

bool isBefore(const SignalHit& a, const SignalHit& b) {
  if (a.rangeM != b.rangeM) return a.rangeM < b.rangeM;
  if (a.instance != b.instance) return a.instance < b.instance;
  if (a.primitive != b.primitive) return a.primitive < b.primitive;
  return a.ray < b.ray;
}

bool isNearerEcho(const SignalEcho& a, const SignalEcho& b) { return a.rangeM < b.rangeM; }
bool isWeakerEcho(const SignalEcho& a, const SignalEcho& b) { return a.strength < b.strength; }

// A resolution is that of a pulse of FWHM 2 resolution / c, where no waveform states one.
double pulseSigmaOf(const ReturnsRecipe& recipe) {
  if (recipe.waveform) return ReceiverWaveform(*recipe.waveform).sigmaM();
  return recipe.rangeResolutionM / std::sqrt(8.0 * std::numbers::ln2);
}

bool isWithoutRay(std::span<const SignalHit> hits, std::uint32_t ray) {
  return std::none_of(hits.begin(), hits.end(),
                      [&](const SignalHit& hit) { return hit.ray == ray; });
}

}  // namespace

std::size_t maxReturnsOf(const ReturnsRecipe& recipe) {
  if (recipe.mode == ReturnMode::all) return recipe.maxReturns;
  return recipe.mode == ReturnMode::strongestAndLast ? 2 : 1;
}

SignalEvaluator::SignalEvaluator(const SensorRecipe& sensor, std::uint64_t seed)
    : recipe_(sensor.returns),
      radiometry_(sensor.radiometry),
      detector_(sensor, seed),
      maxReturns_(understory::maxReturnsOf(sensor.returns)),
      isEachRayAnEcho_(!separatesEchoes(recipe_)),
      pulseSigmaM_(pulseSigmaOf(recipe_)) {
  if (recipe_.waveform) waveform_.emplace(*recipe_.waveform);
}

void SignalEvaluator::setAxisRay(std::uint32_t ray) { axisRay_ = ray; }

std::span<const PulseReturn> SignalEvaluator::evaluate(std::vector<SignalHit>& hits,
                                                       std::uint64_t pulse) {
  returns_.clear();
  formed_.clear();
  echoes_.clear();
  groups_.clear();
  returnOfHit_.assign(hits.size(), 0);
  signal_ = {};
  if (hits.empty()) return {};
  if (activeMutation() == Mutation::fourthPower && radiometry_ == Radiometry::radarEquation) {
    for (SignalHit& hit : hits) {
      hit.intensity /= hit.rangeM * hit.rangeM;
      hit.received /= hit.rangeM * hit.rangeM;
    }
  }
  std::size_t count = putInOrder(hits);
  if (detector_.isActive()) count = detect(std::span(hits).first(count), pulse);
  signal_ = std::span<const SignalHit>(hits).first(count);
  if (activeMutation() == Mutation::centreMissDropsPulse && axisRay_ &&
      isWithoutRay(signal_, *axisRay_)) {
    return {};
  }
  findEchoes();
  if (echoes_.empty()) return {};
  choose();
  for (std::size_t number = 0; number < returns_.size(); ++number) {
    returnOfHit_[returns_[number].decidingHit] = static_cast<std::uint8_t>(number + 1);
  }
  return returns_;
}

void SignalEvaluator::choose() {
  switch (recipe_.mode) {
    case ReturnMode::first:
      return reportFirst();
    case ReturnMode::closest:
      return report(echoes_.front(), {}, false);
    case ReturnMode::strongest:
      return reportAlone(strongestEcho());
    case ReturnMode::last:
      return reportAlone(lastEcho());
    case ReturnMode::strongestAndLast:
      return reportStrongestAndLast();
    case ReturnMode::all:
      for (const SignalEcho& echo : echoes_) {
        if (returns_.size() < maxReturns_) report(echo, echo.hits, false);
      }
      return;
  }
}

// The signal before what the gate holds back and what sends nothing back; the number of the former.
std::size_t SignalEvaluator::putInOrder(std::vector<SignalHit>& hits) const {
  const auto isSignal = [&](const SignalHit& hit) {
    return hit.intensity > 0.0F && passesGate(recipe_, hit);
  };
  auto end = hits.end();
  if (!std::all_of(hits.begin(), hits.end(), isSignal)) {
    end = std::partition(hits.begin(), hits.end(), isSignal);
    std::sort(end, hits.end(), isBefore);
  }
  std::sort(hits.begin(), end, isBefore);
  return static_cast<std::size_t>(end - hits.begin());
}

// Moves the hits of the groups that are lost behind those of the others; the number of the latter.
std::size_t SignalEvaluator::detect(std::span<SignalHit> hits, std::uint64_t pulse) {
  lost_.clear();
  std::size_t seen = 0;
  std::size_t from = 0;
  while (from < hits.size()) {
    const double opensM = static_cast<double>(hits[from].rangeM);
    ExactSum sum;
    sum.add(signalOf(hits[from]));
    std::size_t to = from + 1;
    while (to < hits.size() &&
           static_cast<double>(hits[to].rangeM) - opensM < detector_.groupWidthM()) {
      sum.add(signalOf(hits[to++]));
    }
    const bool isByRay = activeMutation() == Mutation::limitOfEachRay;
    const double signal = isByRay ? signalOf(hits[from]) : sum.value();
    const std::size_t number =
        activeMutation() == Mutation::oneDrawForAllGroups ? 0 : groups_.size();
    const std::span<SignalHit> group = hits.subspan(from, to - from);
    const bool isCertain =
        std::ranges::any_of(group, [](const SignalHit& hit) { return hit.isCertain; });
    if (isCertain || detector_.isSeen(signal, pulse, number)) {
      if (seen != from) std::copy(group.begin(), group.end(), &hits[seen]);
      groups_.push_back({{seen, seen + group.size()}, signal, true});
      seen += group.size();
    } else {
      groups_.push_back({{lost_.size(), lost_.size() + group.size()}, signal, false});
      lost_.insert(lost_.end(), group.begin(), group.end());
    }
    from = to;
  }
  std::copy(lost_.begin(), lost_.end(), hits.begin() + static_cast<std::ptrdiff_t>(seen));
  for (DetectedGroup& group : groups_) {
    if (!group.isSeen) group.hits = {group.hits.from + seen, group.hits.to + seen};
  }
  return seen;
}

void SignalEvaluator::findEchoes() {
  if (waveform_) return findPeaks();
  std::size_t from = 0;
  while (from < signal_.size()) {
    const double opensM = static_cast<double>(signal_[from].rangeM);
    double strength = strengthOf(signal_[from]);
    std::size_t to = from + 1;
    while (to < signal_.size() &&
           static_cast<double>(signal_[to].rangeM) - opensM < recipe_.rangeResolutionM) {
      strength += strengthOf(signal_[to++]);
    }
    echoes_.push_back({meanRangeM({from, to}), strength, {from, to}});
    from = to;
  }
}

// Hits belong to the nearest of all peaks; a hit in the middle between two to the nearer one.
void SignalEvaluator::findPeaks() {
  energies_.clear();
  for (const SignalHit& hit : signal_) {
    energies_.push_back({static_cast<double>(hit.rangeM), strengthOf(hit)});
  }
  waveform_->findPeaks(energies_, peaks_);
  std::size_t from = 0;
  for (std::size_t peak = 0; peak < peaks_.size(); ++peak) {
    std::size_t to = signal_.size();
    if (peak + 1 < peaks_.size()) {
      const double middleM = 0.5 * (peaks_[peak].rangeM + peaks_[peak + 1].rangeM);
      to = from;
      while (to < signal_.size() && energies_[to].rangeM <= middleM) ++to;
    }
    if (to > from) {
      echoes_.push_back(
          {peaks_[peak].rangeM, peaks_[peak].strength, {from, to}, peaks_[peak].sigmaM});
    }
    from = to;
  }
}

// Echoes lie in order of range: the first of equals is the nearest, or the first by the ties' order.
const SignalEcho& SignalEvaluator::strongestEcho() const {
  return *std::max_element(echoes_.begin(), echoes_.end(), isWeakerEcho);
}

const SignalEcho& SignalEvaluator::lastEcho() const {
  return *std::max_element(echoes_.begin(), echoes_.end(), isNearerEcho);
}

void SignalEvaluator::reportFirst() {
  const SignalEcho& echo = echoes_.front();
  if (waveform_) return report(echo, echo.hits, false);
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
  report(echo, recipe_.isWindowed ? windowOf(echo) : HitRange{}, recipe_.isWindowed);
}

// Both, each with its own rays: a hit in two windows belongs to the nearer centre, ties to the strongest.
void SignalEvaluator::reportStrongestAndLast() {
  const SignalEcho& strongest = strongestEcho();
  const SignalEcho& last = lastEcho();
  HitRange ofStrongest = recipe_.isWindowed ? windowOf(strongest) : strongest.hits;
  HitRange ofLast = recipe_.isWindowed ? windowOf(last) : last.hits;
  if (&strongest != &last) {
    // The farthest echo is the farther one.
    std::size_t split = std::max(ofStrongest.from, ofLast.from);
    const auto isNearerToLast = [&](std::size_t hit) {
      const double rangeM = static_cast<double>(signal_[hit].rangeM);
      return std::abs(rangeM - last.rangeM) < std::abs(rangeM - strongest.rangeM);
    };
    while (split < ofStrongest.to && !isNearerToLast(split)) ++split;
    if (ofStrongest.to > ofLast.from) {
      ofStrongest.to = split;
      ofLast.from = split;
    }
  }
  report(strongest, ofStrongest, recipe_.isWindowed);
  if (&strongest == &last || ofLast.from >= ofLast.to) return;
  report(last, ofLast, recipe_.isWindowed);
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
  formed.signal = signalOfHits(rays);
  formed.widthM = widthM(rays, echo);
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
  if (range.to == range.from + 1) return static_cast<double>(signal_[range.from].rangeM);
  const std::span<const SignalHit> hits = signal_.subspan(range.from, range.to - range.from);
  if (isEachRayAnEcho_) {
    double sum = 0.0;
    double weights = 0.0;
    for (const SignalHit& hit : hits) {
      sum += static_cast<double>(hit.weight) * static_cast<double>(hit.rangeM);
      weights += static_cast<double>(hit.weight);
    }
    // Hits on which no energy ends (a leaf that lets all of it pass): the nearest represents them.
    return weights > 0.0 ? sum / weights : static_cast<double>(hits.front().rangeM);
  }
  ExactSum sum;
  ExactSum weights;
  for (const SignalHit& hit : hits) {
    sum.add(signalOf(hit) * static_cast<double>(hit.rangeM));
    weights.add(signalOf(hit));
  }
  // Hits whose signal is too small a number likewise.
  return weights.value() > 0.0 ? sum.value() / weights.value()
                               : static_cast<double>(hits.front().rangeM);
}

double SignalEvaluator::weightOf(HitRange range) const {
  double sum = 0.0;
  for (std::size_t hit = range.from; hit < range.to; ++hit) {
    sum += static_cast<double>(signal_[hit].weight);
  }
  return sum;
}

double SignalEvaluator::energyOfHits(HitRange range) const {
  double sum = 0.0;
  for (std::size_t hit = range.from; hit < range.to; ++hit) sum += energyOf(signal_[hit]);
  return sum;
}

double SignalEvaluator::signalOfHits(HitRange range) const {
  double sum = 0.0;
  for (std::size_t hit = range.from; hit < range.to; ++hit) sum += signalOf(signal_[hit]);
  return sum;
}

double SignalEvaluator::strengthOf(const SignalHit& hit) const {
  return detector_.isActive() ? signalOf(hit) : energyOf(hit);
}

double SignalEvaluator::widthM(HitRange range, const SignalEcho& echo) const {
  if (waveform_) return echo.peakSigmaM;
  const double opensM = static_cast<double>(signal_[range.from].rangeM);
  double weights = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t hit = range.from; hit < range.to; ++hit) {
    const double weight = signalOf(signal_[hit]);
    const double behindM = static_cast<double>(signal_[hit].rangeM) - opensM;
    weights += weight;
    sum += weight * behindM;
    squares += weight * behindM * behindM;
  }
  if (weights <= 0.0) return pulseSigmaM_;
  const double variance = squares / weights - (sum / weights) * (sum / weights);
  if (activeMutation() == Mutation::widthWithoutPulse) return std::sqrt(std::max(0.0, variance));
  return std::sqrt(std::max(0.0, variance) + pulseSigmaM_ * pulseSigmaM_);
}

// Over rays: what a ray sends back from several hits adds up.
double SignalEvaluator::meanIntensity(HitRange range) {
  if (range.to == range.from + 1) return static_cast<double>(signal_[range.from].intensity);
  ++sums_;
  ExactSum sum;
  double weights = 0.0;
  for (const SignalHit& hit : signal_.subspan(range.from, range.to - range.from)) {
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
