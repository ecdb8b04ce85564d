// Thresholds and draws.
#include "core/returns/detection.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/maths/normal.h"
#include "core/random/philox.h"

namespace understory {
namespace {

// Without false alarms the receiver is as noisy as with this number of them: a limit keeps its probability.
constexpr double defaultFalseAlarms = 1e-6;
// No normal number from 53 bits is as large: sqrt(-2 ln 2^-53) = 8.57.
constexpr double maxNormal = 8.6;

}  // namespace

Detector::Detector(const SensorRecipe& sensor, std::uint64_t seed)
    : minSignal_(sensor.returns.detectionThreshold),
      sureSignal_(sensor.returns.detectionThreshold),
      sureWithinLimit_(sensor.returns.detectionThreshold),
      stream_(sensor.stream),
      seed_(seed) {
  if (!sensor.returns.detection) return;
  const DetectionRecipe& limit = *sensor.returns.detection;
  const double cells = (sensor.maxRangeM - sensor.minRangeM) / rangeCellM(sensor.returns);
  const double falseAlarms =
      limit.falseAlarmsPerPulse > 0.0 ? limit.falseAlarmsPerPulse : defaultFalseAlarms;
  const double k = -normalQuantile(std::clamp(falseAlarms / cells, 1e-300, 0.5));
  limitSignal_ = limit.reflectance / (limit.rangeM * limit.rangeM);
  const double inSigmas = k + normalQuantile(limit.probability);
  if (!(inSigmas > 0.0) || !std::isfinite(inSigmas) || !(limitSignal_ > 0.0)) {
    throw UnderstoryError(ErrorCode::badInput,
                          "sensor.returns.detection: expected a limit above the receiver's noise");
  }
  sigma_ = limitSignal_ / inSigmas;
  threshold_ = k * sigma_;
  falloff_ = sensor.returns.detectionFalloff;
  limitRangeM_ = limit.rangeM;
  const double sure = threshold_ + maxNormal * sigma_;
  sureSignal_ = std::max(minSignal_, sure / gainAt(sensor.maxRangeM));
  // The gain is at least 1 there.
  sureWithinLimit_ = std::max(minSignal_, sure);
}

double Detector::gainAt(double rangeM) const {
  return falloff_ > 0.0 ? std::pow(limitRangeM_ / rangeM, falloff_) : 1.0;
}

double Detector::probability(double signal, double rangeM) const {
  if (signal < minSignal_) return 0.0;
  const double counted = signal * gainAt(rangeM);
  return sigma_ > 0.0 ? normalIntegral((counted - threshold_) / sigma_) : 1.0;
}

bool Detector::isSeen(double signal, double rangeM, std::uint64_t pulse, std::size_t echo) const {
  if (isSure(signal, rangeM)) return true;
  if (signal < minSignal_) return false;
  if (sigma_ <= 0.0) return true;
  const double counted = signal * gainAt(rangeM);
  if (counted < threshold_ - maxNormal * sigma_) return false;
  const auto random =
      pulseBlock(seed_, RandomPurpose::detection, stream_, pulse, static_cast<std::uint32_t>(echo));
  return counted + sigma_ * normalPair(random)[0] >= threshold_;
}

}  // namespace understory
