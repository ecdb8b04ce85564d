// Echoes and return modes of pulses of any beam.
#include "core/returns/signal.h"

#include <algorithm>
#include <cmath>

#include "core/mutation.h"

namespace understory {
namespace {

bool isBefore(const SignalHit& a, const SignalHit& b) {
  if (a.rangeM != b.rangeM) return a.rangeM < b.rangeM;
  if (a.instance != b.instance) return a.instance < b.instance;
  if (a.primitive != b.primitive) return a.primitive < b.primitive;
  return a.ray < b.ray;
}

bool isWithoutRay(std::span<const SignalHit> hits, std::uint32_t ray) {
  return std::none_of(hits.begin(), hits.end(),
                      [&](const SignalHit& hit) { return hit.ray == ray; });
}

}  // namespace

// Gschwandtner 2011, figure 2b.
bool isSeen(const ReturnsRecipe& recipe, const SignalHit& hit) {
  if (!recipe.gate) return true;
  const ReflectanceGate& gate = *recipe.gate;
  const double rangeM = static_cast<double>(hit.rangeM);
  const double reflectance = static_cast<double>(hit.reflectance);
  if (reflectance <= 0.0 || rangeM > gate.noneBeyondM) return false;
  if (rangeM <= gate.fullToM) return true;
  const double along = (rangeM - gate.fullToM) / (gate.noneBeyondM - gate.fullToM);
  const double least = gate.reflectanceNear + (gate.reflectanceFar - gate.reflectanceNear) * along;
  return activeMutation() == Mutation::gateInverted ? reflectance <= least : reflectance >= least;
}

std::size_t maxReturnsOf(const ReturnsRecipe& recipe) {
  if (recipe.mode == ReturnMode::all) return recipe.maxReturns;
  return recipe.mode == ReturnMode::strongestAndLast ? 2 : 1;
}

SignalEvaluator::SignalEvaluator(const SensorRecipe& sensor)
    : recipe_(sensor.returns),
      radiometry_(sensor.radiometry),
      maxReturns_(understory::maxReturnsOf(sensor.returns)),
      isEachRayAnEcho_(recipe_.rangeResolutionM <= 0.0 && !recipe_.waveform) {
  if (recipe_.waveform) waveform_.emplace(*recipe_.waveform);
}

void SignalEvaluator::setAxisRay(std::uint32_t ray) { axisRay_ = ray; }

std::span<const PulseReturn> SignalEvaluator::evaluate(std::vector<SignalHit>& hits) {
  returns_.clear();
  formed_.clear();
  echoes_.clear();
  returnOfHit_.assign(hits.size(), 0);
  if (hits.empty()) return {};
  if (activeMutation() == Mutation::fourthPower && radiometry_ == Radiometry::radarEquation) {
    for (SignalHit& hit : hits) hit.intensity /= hit.rangeM * hit.rangeM;
  }
  const HitRange seen = putInOrder(hits);
  signal_ = std::span<const SignalHit>(hits).subspan(seen.from, seen.to - seen.from);
  if (activeMutation() == Mutation::centreMissDropsPulse && axisRay_ &&
      isWithoutRay(signal_, *axisRay_)) {
    return {};
  }
  findEchoes();
  if (echoes_.empty()) return {};
  switch (recipe_.mode) {
    case ReturnMode::first:
      reportFirst();
      break;
    case ReturnMode::closest:
      report(echoes_.front(), false);
      break;
    case ReturnMode::strongest:
      reportStrongest(false);
      break;
    case ReturnMode::strongestAndLast:
      reportStrongest(true);
      break;
    case ReturnMode::last:
      report(*std::max_element(
                 echoes_.begin(), echoes_.end(),
                 [](const SignalEcho& a, const SignalEcho& b) { return a.rangeM < b.rangeM; }),
             recipe_.isWindowed);
      break;
    case ReturnMode::all:
      for (const SignalEcho& echo : echoes_) {
        if (returns_.size() < maxReturns_) report(echo, false);
      }
      break;
  }
  for (std::size_t number = 0; number < returns_.size(); ++number) {
    returnOfHit_[returns_[number].decidingHit] = static_cast<std::uint8_t>(number + 1);
  }
  return returns_;
}

// Those that the gate lets through before those that it keeps back; the range of the former.
HitRange SignalEvaluator::putInOrder(std::vector<SignalHit>& hits) const {
  auto end = hits.end();
  if (recipe_.gate) {
    end = std::partition(hits.begin(), hits.end(),
                         [&](const SignalHit& hit) { return isSeen(recipe_, hit); });
    std::sort(end, hits.end(), isBefore);
  }
  std::sort(hits.begin(), end, isBefore);
  return {0, static_cast<std::size_t>(end - hits.begin())};
}

void SignalEvaluator::findEchoes() {
  if (waveform_) return findPeaks();
  std::size_t from = 0;
  while (from < signal_.size()) {
    const double opensM = static_cast<double>(signal_[from].rangeM);
    std::size_t to = from + 1;
    while (to < signal_.size() &&
           static_cast<double>(signal_[to].rangeM) - opensM < recipe_.rangeResolutionM) {
      ++to;
    }
    const double strength = strengthOf({from, to});
    if (strength >= recipe_.detectionThreshold) {
      echoes_.push_back({meanRangeM({from, to}), strength, {from, to}});
    }
    from = to;
  }
}

// Hits belong to the nearest of all peaks, detected or not; a hit in the middle between two to the nearer one.
void SignalEvaluator::findPeaks() {
  energies_.clear();
  for (const SignalHit& hit : signal_) {
    energies_.push_back({static_cast<double>(hit.rangeM), energyOf(hit)});
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
    const bool isDetected = peaks_[peak].strength >= recipe_.detectionThreshold;
    if (isDetected && to > from) {
      echoes_.push_back({peaks_[peak].rangeM, peaks_[peak].strength, {from, to}});
    }
    from = to;
  }
}

void SignalEvaluator::reportFirst() {
  const HitRange echo = echoes_.front().hits;
  const std::size_t first = echo.from;
  const double nearestM = static_cast<double>(signal_[first].rangeM);
  std::size_t to = first + 1;
  while (to < signal_.size() &&
         static_cast<double>(signal_[to].rangeM) - nearestM <= recipe_.signalCutoffM) {
    ++to;
  }
  const HitRange averaged{first, to};
  const double intensity =
      radiometry_ == Radiometry::radarEquation ? strengthOf(averaged) : meanIntensity(averaged);
  add({meanRangeM(averaged), weightOf(averaged), static_cast<std::uint32_t>(first), echo, averaged,
       averaged},
      intensity, averaged);
}

void SignalEvaluator::reportStrongest(bool alsoLast) {
  // Echoes lie in order of range: the first of equals is the nearest, or the first by the ties' order.
  const SignalEcho strongest = *std::max_element(
      echoes_.begin(), echoes_.end(),
      [](const SignalEcho& a, const SignalEcho& b) { return a.strength < b.strength; });
  report(strongest, recipe_.isWindowed);
  if (!alsoLast) return;
  const SignalEcho last = *std::max_element(
      echoes_.begin(), echoes_.end(),
      [](const SignalEcho& a, const SignalEcho& b) { return a.rangeM < b.rangeM; });
  if (last.rangeM != strongest.rangeM) report(last, recipe_.isWindowed);
}

void SignalEvaluator::report(const SignalEcho& echo, bool isWindowed) {
  const HitRange own = echo.hits;
  const HitRange around = hitsWithin(echo.rangeM);
  const bool hasWindow = isWindowed && around.to > around.from;
  const double rangeM = hasWindow ? meanRangeM(around) : echo.rangeM;
  const HitRange shared = hitsWithin(rangeM);
  const HitRange rays = hasWindow ? around : isEachRayAnEcho_ ? shared : own;
  const double intensity =
      radiometry_ == Radiometry::radarEquation ? strengthOf(rays) : meanIntensity(own);
  const bool isMean = !waveform_ && own.to > own.from + 1;
  const HitRange averaged = hasWindow ? around : isMean ? own : HitRange{};
  add({rangeM, weightOf(shared), static_cast<std::uint32_t>(decidingHit(own)), own, averaged,
       shared},
      intensity, rays);
}

void SignalEvaluator::add(const FormedReturn& formed, double intensity, HitRange rays) {
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
  double sum = 0.0;
  double weights = 0.0;
  for (const SignalHit& hit : signal_.subspan(range.from, range.to - range.from)) {
    const double weight = static_cast<double>(hit.weight);
    sum += weight * static_cast<double>(hit.rangeM);
    weights += weight;
  }
  // Hits on which no energy ends (a leaf that lets all of it pass): the nearest represents them.
  return weights > 0.0 ? sum / weights : static_cast<double>(signal_[range.from].rangeM);
}

double SignalEvaluator::weightOf(HitRange range) const {
  double sum = 0.0;
  for (std::size_t hit = range.from; hit < range.to; ++hit) {
    sum += static_cast<double>(signal_[hit].weight);
  }
  return sum;
}

double SignalEvaluator::strengthOf(HitRange range) const {
  double sum = 0.0;
  for (std::size_t hit = range.from; hit < range.to; ++hit) sum += energyOf(signal_[hit]);
  return sum;
}

// Over rays: what a ray sends back from several hits adds up.
double SignalEvaluator::meanIntensity(HitRange range) {
  if (range.to == range.from + 1) return static_cast<double>(signal_[range.from].intensity);
  ++sums_;
  double sum = 0.0;
  double weights = 0.0;
  for (const SignalHit& hit : signal_.subspan(range.from, range.to - range.from)) {
    sum += energyOf(hit);
    if (hit.ray >= sumOfRay_.size()) sumOfRay_.resize(hit.ray + 1U, 0);
    if (sumOfRay_[hit.ray] == sums_) continue;
    sumOfRay_[hit.ray] = sums_;
    weights += static_cast<double>(hit.rayWeight);
  }
  return sum / weights;
}

std::size_t SignalEvaluator::decidingHit(HitRange echo) const {
  std::size_t deciding = echo.from;
  for (std::size_t hit = echo.from + 1; hit < echo.to; ++hit) {
    if (energyOf(signal_[hit]) > energyOf(signal_[deciding])) deciding = hit;
  }
  return deciding;
}

}  // namespace understory
