// Gaps and ranges.
#include "pulses/falseAlarms.h"

#include <cmath>
#include <limits>

#include "core/mutation.h"
#include "core/random/philox.h"

namespace understory {

FalseAlarms::FalseAlarms(const SensorRecipe& sensor, std::uint64_t seed)
    : minRangeM_(sensor.minRangeM),
      maxRangeM_(sensor.maxRangeM),
      detector_(sensor, seed),
      isRelative_(sensor.radiometry == Radiometry::relative),
      stream_(sensor.stream),
      seed_(seed),
      noise_(sensor, seed) {
  if (sensor.returns.detection) perPulse_ = sensor.returns.detection->falseAlarmsPerPulse;
}

void FalseAlarms::draw(std::uint64_t firstPulse, SlotRange range, TracedBatch& batch) const {
  batch.falseAlarms.clear();
  if (perPulse_ <= 0.0) return;
  const auto pulses = static_cast<double>(batch.firstPulse[slotsPerBatch]);
  double at = 0.0;  // in pulses
  for (std::uint32_t number = 0;; ++number) {
    const auto random = pulseBlock(seed_, RandomPurpose::falseAlarm, stream_, firstPulse, number);
    at -= std::log(1.0 - uniformFrom(random[0], random[1])) / perPulse_;
    if (at >= pulses) return;
    const auto pulse = static_cast<std::uint32_t>(at);
    if (pulse < batch.firstPulse[range.from] || pulse >= batch.firstPulse[range.to]) continue;
    const double uniform = uniformFrom(random[2], random[3]);
    const double part = activeMutation() == Mutation::alarmsByArea ? std::sqrt(uniform) : uniform;
    const double rangeM = minRangeM_ + part * (maxRangeM_ - minRangeM_);
    const std::optional<float> steppedM = noise_.stepped(rangeM);
    if (!steppedM) continue;
    FalseAlarm& alarm = batch.falseAlarms.emplace_back();
    alarm.pulse = pulse;
    TracedReturn& made = alarm.made;
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    made.reported.rangeM = *steppedM;
    const double signal = detector_.threshold() / detector_.gainAt(rangeM);
    CleanReturn clean;
    clean.pulse = firstPulse + pulse;
    clean.rangeM = static_cast<float>(rangeM);
    clean.intensity = static_cast<float>(isRelative_ ? signal * rangeM * rangeM : signal);
    made.reported.intensity = noise_.reportedIntensity(clean);
    made.cleanRangeM = made.reported.rangeM;
    made.trueRangeM = none;
    made.cosIncidence = none;
    made.rayDirection = {none, none, none};
    made.normal = {none, none, none};
    made.instance = noInstance;
  }
}

}  // namespace understory
