// Echoes of pulses whose hits are several, or not certainly seen: of whole groups, and of a pulse by SignalEvaluator.
#include <cmath>

#include "core/optics/shading.h"
#include "pulses/fastPath.h"

namespace understory {

// The strongest echo that is seen: echoes of all pulses at a time, from the nearest on.
void GroupReturns::chooseEchoes(const RayGroup& group, PulseRange wanted, const GroupHits& hits,
                                const std::array<bool, pulsesPerGroup>& isWanted) {
  ByCell<std::uint32_t> left{};
  bool isAnyLeft = false;
  for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
    chosen_[pulse] = {};
    if (!isWanted[pulse]) continue;
    isAnyLeft = true;
    for (std::size_t cell = pulse; cell < raysPerGroup; cell += pulsesPerGroup) {
      left[cell] = hits.meets[cell];
    }
  }
  GroupEcho echo;
  for (std::size_t number = 0; isAnyLeft; ++number) {
    takeNearestEcho(plan_.group.beam, hits, signals_, plan_.sensor.returns.rangeResolutionM, left,
                    echo);
    isAnyLeft = false;
    for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
      if (echo.hits[pulse] == 0) continue;
      isAnyLeft = true;
      const std::size_t absolute = firstPulse_ + out_.firstPulse[group.slots[pulse]] + group.laser;
      if (evaluator_.detector().isSeen(echo.signal[pulse], absolute, number)) {
        consider(echo, pulse, chosen_[pulse]);
      }
    }
  }
}

// The stronger of two becomes the chosen one. Why not decided where they are nearly equal: SignalEvaluator compares
// sums that are rounded hit by hit.
void GroupReturns::consider(const GroupEcho& echo, std::size_t pulse, Echo& chosen) const {
  constexpr double nearlyEqual = 1e-12;
  const double signal = echo.signal[pulse];
  const bool isFirst = chosen.hits == 0;
  const bool isUndecided = chosen.isUndecided || (!isFirst && std::abs(signal - chosen.signal) <=
                                                                  nearlyEqual * chosen.signal);
  if (isFirst || signal > chosen.signal) {
    chosen = {signal,
              echo.signalTimesRange[pulse],
              echo.energy[pulse],
              echo.nearestM[pulse],
              static_cast<std::size_t>(echo.hits[pulse]),
              static_cast<std::size_t>(echo.ray[pulse]),
              isUndecided || echo.isTied[pulse] != 0};
  } else {
    chosen.isUndecided = isUndecided;
  }
}

// As PulseTracer does.
void GroupReturns::evaluate(const TracedGroup& traced, std::size_t pulse, std::size_t number) {
  const GroupHits& hits = traced.hits;
  const bool isRelative = plan_.sensor.radiometry == Radiometry::relative;
  signal_.clear();
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    const std::size_t cell = ray * pulsesPerGroup + pulse;
    if (hits.meets[cell] == 0) continue;
    SignalHit& hit = signal_.emplace_back();
    hit.rangeM = hits.rangeM[cell];
    const auto rangeM = static_cast<double>(hits.rangeM[cell]);
    hit.received = receivedSignal(hits.intensity[cell], extinctionPerM_, rangeM, rangeM);
    hit.intensity = isRelative ? hits.intensity[cell] : hit.received;
    hit.weight = plan_.group.beam.weights[ray];
    hit.rayWeight = plan_.group.beam.weights[ray];
    hit.ray = static_cast<std::uint32_t>(ray);
    hit.instance = hits.instance[cell];
    hit.primitive = hits.primitive[cell];
    hit.index = static_cast<std::uint32_t>(cell);
    hit.isCertain = hasCertainHits_ && learned_->isCertain(hit.instance);
  }
  const std::size_t count = signal_.size();
  const auto returns = evaluator_.evaluate(signal_, firstPulse_ + number);
  TracedReturn* const to = &start(number, count, returns.size());
  for (std::size_t echo = 0; echo < returns.size(); ++echo) {
    store(traced, signal_[returns[echo].decidingHit].index, returns[echo], to[echo]);
    if (!out_.storesShapes) continue;
    out_.shapes[number * out_.maxReturns + echo] =
        shapeOf(evaluator_.formed()[echo], returns[echo]);
  }
}

}  // namespace understory
