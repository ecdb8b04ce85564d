// Clean returns to reported ones, pulse by pulse.
#include "pulses/reporting.h"

#include "core/mutation.h"
#include "core/random/philox.h"

namespace understory {
namespace {

// Mutation::noiseOnEmptyPulses: a return anywhere within the range limits.
void invent(const SensorRecipe& sensor, std::uint64_t seed, std::uint64_t pulse, std::size_t number,
            TracedBatch& traced) {
  const auto random = pulseBlock(seed, RandomPurpose::rangeNoise, sensor.stream, pulse, 0);
  const double share = uniformFrom(random[0], random[1]);
  TracedReturn& made = traced.returns[number * traced.maxReturns];
  made = {};
  made.reported.rangeM =
      static_cast<float>(sensor.minRangeM + share * (sensor.maxRangeM - sensor.minRangeM));
  made.cleanRangeM = made.reported.rangeM;
  traced.returnCounts[number] = 1;
}

}  // namespace

Reporting::Reporting(const SensorRecipe& sensor, std::uint64_t seed, const Air& air,
                     const LearnedContext* learned)
    : sensor_(sensor),
      learned_(learned),
      seed_(seed),
      numbering_(pulseNumbering(sensor)),
      noise_(sensor, seed, air),
      isNeeded_(noise_.isActive() || (learned != nullptr && learned->hasNoise()) ||
                activeMutation() == Mutation::noiseOnEmptyPulses) {}

void Reporting::work(std::uint64_t batch, SlotRange range, TracedBatch& traced) const {
  const std::uint64_t firstSlot = batch * slotsPerBatch;
  const std::uint64_t firstPulse = firstPulseOfSlot(numbering_, firstSlot);
  for (std::size_t slot = range.from; slot < range.to; ++slot) {
    const LaserBank& bank = sensor_.banks[bankOfSlot(sensor_, firstSlot + slot)];
    for (std::size_t laser = 0; laser < bank.rings.size(); ++laser) {
      const std::size_t number = traced.firstPulse[slot] + laser;
      CleanReturn clean;
      clean.pulse = firstPulse + number;
      clean.ring = bank.rings[laser];
      reportPulse(clean, number, traced);
    }
  }
}

void Reporting::reportPulse(CleanReturn clean, std::size_t number, TracedBatch& traced) const {
  std::uint8_t& count = traced.returnCounts[number];
  TracedReturn* const returns = &traced.returns[number * traced.maxReturns];
  std::uint8_t reported = 0;
  for (std::uint8_t echo = 0; echo < count; ++echo) {
    TracedReturn& from = returns[echo];
    clean.returnNo = static_cast<std::uint8_t>(echo + 1);
    clean.rangeM = from.reported.rangeM;
    clean.intensity = from.reported.intensity;
    clean.beamShare = from.reported.beamShare;
    clean.cosIncidence = from.cosIncidence;
    clean.learnedSigmaM = learnedSigmaM(learned_, from.instance, from.primitive, from.cosIncidence);
    const auto rangeM = noise_.isLost(clean) ? std::nullopt : noise_.reported(clean);
    if (!rangeM) continue;
    from.cleanRangeM = noise_.folded(clean.rangeM);
    from.reported.rangeM = *rangeM;
    from.reported.intensity = noise_.reportedIntensity(clean);
    if (reported != echo) {
      returns[reported] = from;
      if (traced.storesShapes) {
        EchoShape* const shapes = &traced.shapes[number * traced.maxReturns];
        shapes[reported] = shapes[echo];
      }
    }
    ++reported;
  }
  count = reported;
  if (activeMutation() != Mutation::noiseOnEmptyPulses) return;
  if (traced.rayHits[number] == 0) invent(sensor_, seed_, clean.pulse, number, traced);
}

}  // namespace understory
