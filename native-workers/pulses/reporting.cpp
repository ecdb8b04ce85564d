// Clean returns to reported ones, pulse by pulse.
#include "pulses/reporting.h"

#include "core/mutation.h"
#include "core/random/philox.h"

namespace understory {

Reporting::Reporting(const SensorRecipe& sensor, std::uint64_t seed)
    : sensor_(sensor),
      seed_(seed),
      numbering_(pulseNumbering(sensor)),
      noise_(sensor, seed),
      inventsReturns_(activeMutation() == Mutation::noiseOnEmptyPulses),
      isNeeded_(noise_.isActive() || inventsReturns_) {}

void Reporting::work(std::uint64_t block, SlotRange range, TracedBlock& traced) const {
  const std::uint64_t firstSlot = block * slotsPerBlock;
  const std::uint64_t firstPulse = firstPulseOfSlot(numbering_, firstSlot);
  for (std::size_t slot = range.from; slot < range.to; ++slot) {
    const LaserBlock& lasers = sensor_.blocks[blockOfSlot(sensor_, firstSlot + slot)];
    for (std::size_t laser = 0; laser < lasers.rings.size(); ++laser) {
      const std::size_t place = traced.firstPulse[slot] + laser;
      CleanReturn clean;
      clean.pulse = firstPulse + place;
      clean.ring = lasers.rings[laser];
      reportPulse(clean, place, traced);
    }
  }
}

void Reporting::reportPulse(CleanReturn clean, std::size_t place, TracedBlock& traced) const {
  std::uint8_t& count = traced.returnCounts[place];
  TracedReturn* const returns = &traced.returns[place * traced.returnPlaces];
  std::uint8_t kept = 0;
  for (std::uint8_t echo = 0; echo < count; ++echo) {
    TracedReturn& from = returns[echo];
    clean.returnNo = static_cast<std::uint8_t>(echo + 1);
    clean.rangeM = from.reported.rangeM;
    clean.intensity = from.reported.intensity;
    clean.cosIncidence = from.cosIncidence;
    if (noise_.isLost(clean)) continue;
    from.cleanRangeM = noise_.folded(clean.rangeM);
    from.reported.rangeM = noise_.reported(clean);
    if (kept != echo) returns[kept] = from;
    ++kept;
  }
  count = kept;
  if (inventsReturns_ && traced.rayHits[place] == 0) invent(clean.pulse, place, traced);
}

// Mutation::noiseOnEmptyPulses: a return anywhere within the range limits.
void Reporting::invent(std::uint64_t pulse, std::size_t place, TracedBlock& traced) const {
  const auto block = pulseBlock(seed_, RandomPurpose::rangeNoise, sensor_.stream, pulse, 0);
  const double share = uniformFrom(block[0], block[1]);
  TracedReturn& made = traced.returns[place * traced.returnPlaces];
  made = {};
  made.reported.rangeM =
      static_cast<float>(sensor_.minRangeM + share * (sensor_.maxRangeM - sensor_.minRangeM));
  made.cleanRangeM = made.reported.rangeM;
  traced.returnCounts[place] = 1;
}

}  // namespace understory
