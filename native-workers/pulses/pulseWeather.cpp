// Drops by ray, then what they take of each other.
#include "pulses/pulseWeather.h"

#include <algorithm>
#include <cmath>

#include "core/mutation.h"
#include "core/optics/shading.h"
#include "surfaces/hits.h"

namespace understory {

PulseWeather::PulseWeather(const SensorWeather& weather, const SensorRecipe& sensor,
                           std::uint64_t seed)
    : weather_(weather), seed_(seed), maxRangeM_(static_cast<float>(sensor.maxRangeM)) {
  if (weather_.plume().isEmpty()) return;
  plume_.emplace(weather_.plume().law(), sensor, weather_.air());
  line_.emplace(plume_->sliceM());
}

std::span<const AirHit> PulseWeather::hitsOf(std::uint64_t pulse, const PulseAxis& axis,
                                             std::span<const RayEnd> ends) {
  hits_.clear();
  for (const ParticleField& field : weather_.fields()) addDrops(field, pulse, ends);
  if (!weather_.medium().isEmpty()) addMedium(ends);
  if (plume_) {
    followDust(axis, ends);
    if (isInDust_) {
      dimInDust();
      addDust(ends);
    }
  }
  if (hits_.size() > 1) {
    std::ranges::stable_sort(hits_, [](const AirHit& a, const AirHit& b) {
      return a.ray != b.ray ? a.ray < b.ray : a.rangeM < b.rangeM;
    });
  }
  if (!weather_.fields().empty()) dimBehindDrops();
  return hits_;
}

void PulseWeather::addDrops(const ParticleField& field, std::uint64_t pulse,
                            std::span<const RayEnd> ends) {
  const bool isBehind = activeMutation() == Mutation::particlesBehindSurfaces;
  float farthestM = 0.0F;
  for (const RayEnd& end : ends) farthestM = std::max(farthestM, end.rangeM);
  farthestM = isBehind ? maxRangeM_ : std::min(farthestM, maxRangeM_);
  field.draw(seed_, pulse, static_cast<double>(farthestM), [&](const Drop& drop) {
    std::uint32_t ray = 0;
    auto left = static_cast<float>(drop.place);
    while (ray + 1 < ends.size() && left >= ends[ray].weight) left -= ends[ray++].weight;
    const RayEnd& end = ends[ray];
    const auto rangeM = static_cast<float>(drop.rangeM);
    if (end.weight <= 0.0F || (rangeM >= end.rangeM && !isBehind)) return;
    AirHit& hit = hits_.emplace_back();
    hit.ray = ray;
    hit.kind = field.particles().kind;
    hit.rangeM = rangeM;
    hit.share = std::min(static_cast<float>(drop.share) / end.weight, 1.0F);
    hit.backscatter = hit.share * static_cast<float>(field.particles().reflectance);
    hit.received = receivedSignal(hit.backscatter, weather_.air(), drop.rangeM, drop.rangeM);
  });
}

void PulseWeather::addMedium(std::span<const RayEnd> ends) {
  const MediumEcho& medium = weather_.medium();
  for (std::uint32_t ray = 0; ray < ends.size(); ++ray) {
    const auto endM = static_cast<double>(std::min(ends[ray].rangeM, maxRangeM_));
    for (const MediumHit& slice : medium.slices()) {
      if (slice.rangeM >= endM) break;
      addMediumHit(medium.kind(), ray, slice);
    }
    const MediumHit bump = medium.before(endM);
    if (bump.signal > 0.0) addMediumHit(medium.kind(), ray, bump);
  }
}

void PulseWeather::addMediumHit(AirKind kind, std::uint32_t ray, const MediumHit& bump) {
  AirHit& hit = hits_.emplace_back();
  hit.ray = ray;
  hit.kind = kind;
  hit.rangeM = static_cast<float>(bump.rangeM);
  hit.received = static_cast<float>(bump.signal);
  hit.backscatter = static_cast<float>(bump.signal * bump.rangeM * bump.rangeM);
}

void PulseWeather::followDust(const PulseAxis& axis, std::span<const RayEnd> ends) {
  const std::int64_t step = Plume::stepOf(axis.timeNs);
  if (step != dustStep_) weather_.plume().ballsAt(step, dust_);
  dustStep_ = step;
  float farthestM = 0.0F;
  for (const RayEnd& end : ends) farthestM = std::max(farthestM, end.rangeM);
  isInDust_ = line_->follow(dust_, toDouble(axis.originM), toDouble(axis.direction),
                            static_cast<double>(std::min(farthestM, maxRangeM_)));
}

// Rays that end in the same slice have the same hits.
void PulseWeather::addDust(std::span<const RayEnd> ends) {
  std::size_t slicesBefore = 0;
  dustHits_.clear();
  for (std::uint32_t ray = 0; ray < ends.size(); ++ray) {
    const auto endM = static_cast<double>(std::min(ends[ray].rangeM, maxRangeM_));
    const std::size_t slices = line_->slicesBefore(endM);
    if (slices != slicesBefore) {
      dustHits_.clear();
      plume_->addHits(*line_, slices, dustHits_);
      slicesBefore = slices;
    }
    for (const MediumHit& hit : dustHits_) addMediumHit(AirKind::dust, ray, hit);
  }
}

void PulseWeather::dimInDust() {
  for (AirHit& hit : hits_) {
    const float back = throughDust(hit.rangeM);
    hit.backscatter *= back;
    hit.received *= back;
  }
}

float PulseWeather::throughDust(float rangeM) const {
  const double depth = line_->depthAt(static_cast<double>(rangeM));
  return static_cast<float>(std::exp(-waysThroughAir() * depth));
}

// Drops take of what is behind them on their ray, out and back.
void PulseWeather::dimBehindDrops() {
  float passes = 1.0F;
  for (std::size_t index = 0; index < hits_.size(); ++index) {
    AirHit& hit = hits_[index];
    if (index == 0 || hits_[index - 1].ray != hit.ray) passes = 1.0F;
    const float back = wayBack(passes);
    hit.backscatter *= back;
    hit.received *= back;
    hit.share *= passes;
    passes -= hit.share;
    hit.passes = passes;
  }
}

float PulseWeather::passing(std::uint32_t ray, float rangeM) const {
  float passes = 1.0F;
  for (const AirHit& hit : hits_) {
    if (hit.ray > ray || (hit.ray == ray && hit.rangeM >= rangeM)) break;
    if (hit.ray == ray) passes = hit.passes;
  }
  return passes;
}

SignalHit signalOfAir(const AirHit& hit, const RayEnd& end, Radiometry radiometry) {
  SignalHit signal;
  signal.rangeM = hit.rangeM;
  signal.intensity = radiometry == Radiometry::relative ? hit.backscatter : hit.received;
  signal.weight = end.weight * hit.share;
  signal.rayWeight = end.weight;
  signal.received = hit.received;
  signal.reflectance = hit.backscatter;
  signal.ray = hit.ray;
  signal.instance = noInstance;
  return signal;
}

}  // namespace understory
