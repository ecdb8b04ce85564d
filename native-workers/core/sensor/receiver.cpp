// Widths by the pulse, the range resolution or the cutoff.
#include "core/sensor/receiver.h"

#include <algorithm>

namespace understory {
namespace {

constexpr double maxCutoffM = 1.0;

}  // namespace

double rangeCellM(const ReturnsRecipe& returns) {
  if (returns.waveform) return 0.5 * lightSpeedMPerNs * returns.waveform->pulseWidthNs;
  if (returns.rangeResolutionM > 0.0) return returns.rangeResolutionM;
  return std::min(returns.signalCutoffM, maxCutoffM);
}

bool hasDetectionLimit(const ReturnsRecipe& returns) {
  return returns.detection.has_value() || returns.detectionThreshold > 0.0;
}

bool separatesEchoes(const ReturnsRecipe& returns) {
  return returns.rangeResolutionM > 0.0 || returns.waveform.has_value();
}

bool hasSeveralReturns(ReturnMode mode) {
  return mode == ReturnMode::strongestAndLast || mode == ReturnMode::all;
}

}  // namespace understory
