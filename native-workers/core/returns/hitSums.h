// Sums over hits of a signal.
#pragma once

#include <span>

#include "core/maths/exactSum.h"
#include "core/returns/signal.h"

namespace understory {

inline double sumOfSignals(std::span<const SignalHit> hits) {
  ExactSum sum;
  for (const SignalHit& hit : hits) sum.add(signalOf(hit));
  return sum.value();
}

// By S; of hits whose signal is too small a number, the nearest represents them.
inline double meanBySignal(std::span<const SignalHit> hits) {
  if (hits.size() == 1) return static_cast<double>(hits[0].rangeM);
  ExactSum sum;
  for (const SignalHit& hit : hits) sum.add(signalOf(hit) * static_cast<double>(hit.rangeM));
  const double signal = sumOfSignals(hits);
  return signal > 0.0 ? sum.value() / signal : static_cast<double>(hits.front().rangeM);
}

}  // namespace understory
