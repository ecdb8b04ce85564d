// Hits of a pulse in the air of a scene, and the light that drops take from what is behind them.
// A drop lies in one ray of the beam, drawn by weight, in front of where the ray ends; it takes b of the beam, at most
// the ray's weight w, and so b/w of the ray each way. A medium is in front of every ray alike, the dust of a plume as along
// the pulse's axis: rays of a beam are nearer to each other than dust varies.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "contract/contract.h"
#include "core/mutation.h"
#include "core/returns/signal.h"
#include "core/weather/plumeEcho.h"
#include "core/weather/sensorWeather.h"

namespace understory {

// The straight end of a ray.
struct RayEnd {
  float rangeM = 0.0F;
  float weight = 0.0F;  // of the ray
};

// When, from where and in which direction a pulse leaves the sensor.
struct PulseAxis {
  std::int64_t timeNs = 0;
  Vec3f originM;
  Vec3f direction;
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
  std::span<const AirHit> hitsOf(std::uint64_t pulse, const PulseAxis& axis,
                                 std::span<const RayEnd> ends);
  // Whether drops and dust change what surfaces return to the pulse asked for last, the
  // air's even extinction apart.
  bool isFelt() const { return isInDust_ || !hits_.empty(); }
  // A surface's hit (SignalHit, PathHit) on ray `ray` of that pulse, behind drops and dust.
  template <typename Hit>
  void dim(Hit& hit, float& shareOfHit, std::uint32_t ray) const {
    const float passes = passing(ray, hit.rangeM);
    const float back = wayBack(passes) * (isInDust_ ? throughDust(hit.rangeM) : 1.0F);
    hit.intensity *= back;
    hit.received *= back;
    hit.reflectance *= back;
    shareOfHit *= passes;
  }

 private:
  void addDrops(const ParticleField& field, std::uint64_t pulse, std::span<const RayEnd> ends);
  void addMedium(std::span<const RayEnd> ends);
  void addMediumHit(AirKind kind, std::uint32_t ray, const MediumHit& bump);
  void followDust(const PulseAxis& axis, std::span<const RayEnd> ends);
  void addDust(std::span<const RayEnd> ends);
  void dimBehindDrops();
  void dimInDust();
  // Share of ray `ray` that drops leave at a range, one way.
  float passing(std::uint32_t ray, float rangeM) const;
  // The share of a signal, out and back.
  static float wayBack(float passes) {
    return activeMutation() == Mutation::extinctionOneWay ? passes : passes * passes;
  }
  float throughDust(float rangeM) const;

  const SensorWeather& weather_;
  std::uint64_t seed_;
  float maxRangeM_;
  std::vector<AirHit> hits_;
  // Dust of the plume; none without one.
  std::optional<PlumeEcho> plume_;
  std::int64_t dustStep_ = std::numeric_limits<std::int64_t>::min();  // of dust_
  DustBalls dust_;
  std::optional<DustLine> line_;
  bool isInDust_ = false;
  std::vector<MediumHit> dustHits_;  // in front of an end
};

// TracedReturn::air of what sends back.
inline std::uint8_t airNumber(AirKind kind) {
  return static_cast<std::uint8_t>(1U + static_cast<unsigned>(kind));
}

// As a hit of the signal, of ray and weight as of `end`.
SignalHit signalOfAir(const AirHit& hit, const RayEnd& end, Radiometry radiometry);

}  // namespace understory
