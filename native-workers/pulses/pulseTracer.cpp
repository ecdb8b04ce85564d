// Signals and returns of pulses.
#include "pulses/pulseTracer.h"

namespace understory {

PulseSignal::PulseSignal(const SensorRecipe& sensor, const PulseRays& rays, std::uint64_t seed)
    : pulseRays_(rays), evaluator_(sensor, seed), spread_(sensor) {
  evaluator_.setAxisRay(rays.axisRay());
}

void PulseSignal::clear() {
  hits_.clear();
  rayOfHit_.clear();
  signal_.clear();
  raysThatHit_ = 0;
}

void PulseSignal::addHitsOfRay(std::uint32_t ray, float weight, std::size_t firstHit) {
  bool isLit = false;
  for (std::size_t index = firstHit; index < hits_.size(); ++index) {
    const PathHit& hit = hits_[index];
    isLit |= hit.air == 0 && hit.intensity > 0.0F;
    rayOfHit_.push_back(ray);
    SignalHit& signal = signal_.emplace_back();
    signal.rangeM = hit.rangeM;
    signal.intensity = hit.intensity;
    signal.weight = weight * hit.share;
    signal.rayWeight = weight;
    signal.received = hit.received;
    signal.reflectance = hit.reflectance;
    signal.spreadM = spread_.at(hit.rangeM, hit.cosIncidence);
    signal.ray = ray;
    signal.instance = hit.instance;
    signal.primitive = hit.primitive;
    signal.index = static_cast<std::uint32_t>(index);
    signal.isCertain = hit.isCertain;
  }
  raysThatHit_ += isLit ? 1 : 0;
}

void PulseSignal::report(const RayTile& tile, std::size_t pulse, std::size_t number,
                         const PulseVisitor* visitor, TracedBatch& out) {
  const std::span<const PulseReturn> returns =
      evaluator_.evaluate(signal_, tile.names[pulse].number);
  out.aims[number] = tile.aims[pulse].reported;
  out.rayHits[number] = raysThatHit_;
  out.returnCounts[number] = static_cast<std::uint8_t>(returns.size());
  for (std::size_t echo = 0; echo < returns.size(); ++echo) {
    // With the truth of the hit that decided it.
    const PathHit& hit = hits_[signal_[returns[echo].decidingHit].index];
    out.returns[number * out.maxReturns + echo] = {
        returns[echo],        hit.rangeM,
        hit.cosIncidence,     hit.towards,
        hit.normal,           hit.instance,
        hit.primitive,        hit.material,
        hit.mirrors,          hit.air,
        returns[echo].rangeM, hit.isTurned ? incidenceRad(hit.normal, hit.arrival) : -1.0F};
    if (out.storesShapes) {
      out.shapes[number * out.maxReturns + echo] =
          shapeOf(evaluator_, evaluator_.formed()[echo], returns[echo]);
    }
  }
  if (out.storesDirections) {
    const std::size_t rays = pulseRays_.raysPerPulse();
    for (std::size_t ray = 0; ray < rays; ++ray) {
      out.directions[number * rays + ray] =
          tile.rays.direction(pulse * rays + pulseRays_.indexOfRay(ray));
    }
  }
  if (visitor == nullptr) return;
  (*visitor)({tile.names[pulse], number, tile.aims[pulse], pulseRays_.beamOf(tile, pulse), hits_,
              rayOfHit_, signal_, returns, evaluator_.returnOfHit()});
}

}  // namespace understory
