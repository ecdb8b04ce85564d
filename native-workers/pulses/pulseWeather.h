// Hits of a pulse in the air of a scene, and the light that drops take from what is behind them.
// A drop lies in one ray of the beam, drawn by weight, in front of where the ray ends; it takes b of the beam, at most
// the ray's weight w, and so b/w of the ray each way. A medium is in front of every ray alike.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contract/contract.h"
#include "core/mutation.h"
#include "core/returns/signal.h"
#include "core/weather/sensorWeather.h"

namespace understory {

// The straight end of a ray.
struct RayEnd {
  float rangeM = 0.0F;
  float weight = 0.0F;  // of the ray
};

// A hit in the air, on the ray's straight way.
struct AirHit {
  std::uint32_t ray = 0;
  AirKind kind = AirKind::rain;
  float rangeM = 0.0F;
  float backscatter = 0.0F;  // of the ray's whole energy; a white surface head on: 1
  float received = 0.0F;     // by the radar equation, air included, in 1/m²
  float share = 0.0F;        // of the ray that ends here; a medium takes none
  float passes = 1.0F;       // of the ray, one way, behind this hit
};

class PulseWeather {
 public:
  // `weather` outlives it. One for each thread.
  PulseWeather(const SensorWeather& weather, const SensorRecipe& sensor, std::uint64_t seed);

  // Hits of a pulse by ray, along each by range. The span lasts until the next call.
  std::span<const AirHit> hitsOf(std::uint64_t pulse, std::span<const RayEnd> ends);
  // Share of ray `ray` that drops leave at a range, one way, of the pulse asked for last.
  float passing(std::uint32_t ray, float rangeM) const;

 private:
  void addDrops(const ParticleField& field, std::uint64_t pulse, std::span<const RayEnd> ends);
  void addMedium(std::span<const RayEnd> ends);
  void dimBehindDrops();

  const SensorWeather& weather_;
  std::uint64_t seed_;
  float maxRangeM_;
  std::vector<AirHit> hits_;
};

// TracedReturn::air of what sends back.
inline std::uint8_t airNumber(AirKind kind) {
  return static_cast<std::uint8_t>(1U + static_cast<unsigned>(kind));
}

// A hit of a surface (SignalHit, PathHit) behind drops that pass this much of its ray, one way.
template <typename Hit>
void dim(Hit& hit, float& shareOfHit, float passes) {
  const float back = activeMutation() == Mutation::extinctionOneWay ? passes : passes * passes;
  hit.intensity *= back;
  hit.received *= back;
  hit.reflectance *= back;
  shareOfHit *= passes;
}

// As a hit of the signal, of ray and weight as of `end`.
SignalHit signalOfAir(const AirHit& hit, const RayEnd& end, Radiometry radiometry);

}  // namespace understory
