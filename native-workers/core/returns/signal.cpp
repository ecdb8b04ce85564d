// The signal of a pulse, its echoes, and those that the detection limit loses.
#include "core/returns/signal.h"

#include <algorithm>
#include <cmath>

#include "core/maths/exactSum.h"
#include "core/mutation.h"
#include "core/returns/gate.h"
#include "core/returns/hitSums.h"

namespace understory {
namespace {

bool isBefore(const SignalHit& a, const SignalHit& b) {
  if (a.rangeM != b.rangeM) return a.rangeM < b.rangeM;
  if (a.instance != b.instance) return a.instance < b.instance;
  if (a.primitive != b.primitive) return a.primitive < b.primitive;
  return a.ray < b.ray;
}

double pulseSigmaOf(const ReturnsRecipe& recipe) {
  if (recipe.waveform) return ReceiverWaveform(*recipe.waveform).sigmaM();
  return understory::pulseSigmaM(recipe.rangeResolutionM);
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

}  // namespace understory
