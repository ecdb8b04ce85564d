// Echoes and return modes of pulses of any beam.
#include "core/returns/signal.h"

#include <algorithm>
#include <cmath>

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

double pulseSigmaOf(const ReturnsRecipe& recipe) {
  if (recipe.waveform) return ReceiverWaveform(*recipe.waveform).sigmaM();
  return understory::pulseSigmaM(recipe.rangeResolutionM);
}

double sumOfSignals(std::span<const SignalHit> hits) {
  ExactSum sum;
  for (const SignalHit& hit : hits) sum.add(signalOf(hit));
  return sum.value();
}

// By S; of hits whose signal is too small a number, the nearest represents them.
double meanBySignal(std::span<const SignalHit> hits) {
  if (hits.size() == 1) return static_cast<double>(hits[0].rangeM);
  ExactSum sum;
  for (const SignalHit& hit : hits) sum.add(signalOf(hit) * static_cast<double>(hit.rangeM));
  const double signal = sumOfSignals(hits);
  return signal > 0.0 ? sum.value() / signal : static_cast<double>(hits.front().rangeM);
}

double distanceM(const SignalHit& hit, const SignalEcho& echo) {
  return std::abs(static_cast<double>(hit.rangeM) - echo.rangeM);
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
      finder_(rangeCellM(recipe_)),
      pulseSigmaM_(pulseSigmaOf(recipe_)) {
  if (recipe_.waveform) waveform_.emplace(*recipe_.waveform);
}

void SignalEvaluator::setAxisRay(std::uint32_t ray) { axisRay_ = ray; }

std::span<const PulseReturn> SignalEvaluator::evaluate(std::vector<SignalHit>& hits,
                                                       std::uint64_t pulse) {
  clear(hits.size());
  if (hits.empty()) return {};
  if (activeMutation() == Mutation::fourthPower && radiometry_ == Radiometry::radarEquation) {
    for (SignalHit& hit : hits) {
      hit.intensity /= hit.rangeM * hit.rangeM;
      hit.received /= hit.rangeM * hit.rangeM;
    }
  }
  const std::span<SignalHit> arrived = std::span(hits).first(putInOrder(hits));
  signal_ = arrived;
  if (!signal_.empty() && (!isEachRayAnEcho_ || detector_.isActive())) findEchoes();
  return formReturns(arrived, pulse);
}

std::span<const PulseReturn> SignalEvaluator::evaluateEchoes(std::vector<SignalHit>& hits,
                                                             std::span<const std::size_t> ends,
                                                             std::uint64_t pulse) {
  clear(hits.size());
  signal_ = hits;
  addEchoes(ends);
  return formReturns(hits, pulse);
}

void SignalEvaluator::clear(std::size_t hits) {
  returns_.clear();
  formed_.clear();
  echoes_.clear();
  lostEchoes_.clear();
  returnOfHit_.assign(hits, 0);
  signal_ = {};
}

std::span<const PulseReturn> SignalEvaluator::formReturns(std::span<SignalHit> arrived,
                                                          std::uint64_t pulse) {
  if (detector_.isActive()) loseEchoes(arrived, pulse);
  if (activeMutation() == Mutation::centreMissDropsPulse && axisRay_ &&
      isWithoutRay(signal_, *axisRay_)) {
    return {};
  }
  if (isEachRayAnEcho_) takeEachHit();
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

void SignalEvaluator::findEchoes() {
  if (waveform_) return findPeaks();
  echoHits_.clear();
  for (const SignalHit& hit : signal_) {
    echoHits_.push_back({hit.rangeM, static_cast<float>(signalOf(hit)), hit.spreadM});
  }
  addEchoes(finder_.find(echoHits_));
}

void SignalEvaluator::addEchoes(std::span<const std::size_t> ends) {
  std::size_t from = 0;
  for (const std::size_t to : ends) {
    addEcho({from, to});
    from = to;
  }
}

// Hits belong to the peak of their valley.
void SignalEvaluator::findPeaks() {
  energies_.clear();
  for (const SignalHit& hit : signal_) {
    energies_.push_back(
        {static_cast<double>(hit.rangeM), strengthOf(hit), static_cast<double>(hit.spreadM)});
  }
  waveform_->findPeaks(energies_, peaks_);
  std::size_t from = 0;
  for (const WaveformPeak& peak : peaks_) {
    std::size_t to = from;
    while (to < signal_.size() && energies_[to].rangeM <= peak.valleyM) ++to;
    if (&peak == &peaks_.back()) to = signal_.size();
    if (to > from) echoes_.push_back({peak.rangeM, peak.strength, {from, to}, peak.sigmaM});
    from = to;
  }
}

void SignalEvaluator::addEcho(HitRange hits) {
  ExactSum strength;
  for (const SignalHit& hit : hitsOf(hits)) strength.add(strengthOf(hit));
  echoes_.push_back({meanBySignal(hitsOf(hits)), strength.value(), hits});
}

// The paper's rule.
void SignalEvaluator::takeEachHit() {
  echoes_.clear();
  for (std::size_t hit = 0; hit < signal_.size(); ++hit) {
    echoes_.push_back(
        {static_cast<double>(signal_[hit].rangeM), strengthOf(signal_[hit]), {hit, hit + 1}});
  }
}

bool SignalEvaluator::isSeen(const SignalEcho& echo, std::uint64_t pulse,
                             std::size_t number) const {
  const std::span<const SignalHit> hits = hitsOf(echo.hits);
  if (std::ranges::any_of(hits, [](const SignalHit& hit) { return hit.isCertain; })) return true;
  const bool isByRay = activeMutation() == Mutation::limitOfEachRay;
  const bool isOneDraw = activeMutation() == Mutation::oneDrawForAllEchoes;
  return detector_.isSeen(isByRay ? signalOf(hits[0]) : sumOfSignals(hits), echo.rangeM, pulse,
                          isOneDraw ? 0 : number);
}

// Moves the hits of the echoes that are lost behind those of the others, which remain the signal.
void SignalEvaluator::loseEchoes(std::span<SignalHit> hits, std::uint64_t pulse) {
  lost_.clear();
  std::size_t seenEchoes = 0;
  std::size_t seenHits = 0;
  for (std::size_t number = 0; number < echoes_.size(); ++number) {
    SignalEcho echo = echoes_[number];
    const std::span<SignalHit> own = hits.subspan(echo.hits.from, echo.hits.to - echo.hits.from);
    if (isSeen(echo, pulse, number)) {
      if (seenHits != echo.hits.from) std::copy(own.begin(), own.end(), &hits[seenHits]);
      echo.hits = {seenHits, seenHits + own.size()};
      seenHits = echo.hits.to;
      echoes_[seenEchoes++] = echo;
    } else {
      echo.hits = {lost_.size(), lost_.size() + own.size()};
      lost_.insert(lost_.end(), own.begin(), own.end());
      lostEchoes_.push_back(echo);
    }
  }
  echoes_.resize(seenEchoes);
  std::copy(lost_.begin(), lost_.end(), hits.begin() + static_cast<std::ptrdiff_t>(seenHits));
  for (SignalEcho& echo : lostEchoes_) {
    echo.hits = {echo.hits.from + seenHits, echo.hits.to + seenHits};
  }
  signal_ = hits.first(seenHits);
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
  report(echo, recipe_.isWindowed ? windowOf(echo) : HitRange{}, recipe_.isWindowed);
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
  const bool isWindowed = recipe_.isWindowed;
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

double SignalEvaluator::strengthOf(const SignalHit& hit) const {
  return detector_.isActive() ? signalOf(hit) : energyOf(hit);
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
