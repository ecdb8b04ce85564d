// The rays of any sensor's pulses in the world, in tiles: rays that are traced together, in whole pulses of one
// laser. Guarantee: a tile's rays depend on the sensor, the trajectory, the seed and the absolute pulse numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aim/pulseFrame.h"
#include "aim/rayGroups.h"
#include "contract/sensorRecipe.h"
#include "core/sensor/beamSampler.h"
#include "core/sensor/pulses.h"
#include "core/sensor/trajectory.h"

namespace understory {

// Rays side by side. Arrays have room for a whole packet after the last ray.
struct RayArrays {
  static constexpr std::size_t padding = 16;

  std::vector<float> originX;
  std::vector<float> originY;
  std::vector<float> originZ;
  std::vector<float> directionX;
  std::vector<float> directionY;
  std::vector<float> directionZ;

  void resize(std::size_t rays);
  void set(std::size_t ray, Vec3f originM, Vec3f direction);
  Vec3f origin(std::size_t ray) const { return {originX[ray], originY[ray], originZ[ray]}; }
  Vec3f direction(std::size_t ray) const {
    return {directionX[ray], directionY[ray], directionZ[ray]};
  }
};

// A tile, used again from one to the next. `names` and `aims` by pulse.
struct RayTile {
  std::vector<PulseName> names;
  std::vector<AimedPulse> aims;
  std::vector<StencilRay> drawn;  // by pulse and ray, where pulses differ in their rays
  RayArrays rays;                 // by pulse * raysPerPulse + PulseRays::indexOfRay(ray)
};

class PulseRays {
 public:
  // Both outlive it. `seed`: of beams that differ from pulse to pulse, and of pointing errors.
  PulseRays(const SensorRecipe& sensor, const Trajectory& trajectory, std::uint64_t seed,
            Vec3d sceneOriginM);

  std::size_t raysPerPulse() const { return sampler_.raysPerPulse(); }
  // Pulses of a tile: enough rays for full packets, few enough for a core's cache.
  std::size_t pulsesPerTile() const;
  // Where a ray lies among those of its pulse. Why not in the sampler's order: packets are faster from left to
  // right (RayOrder::columns); random and stratified rays come so from their sampler.
  std::size_t indexOfRay(std::size_t ray) const { return indexOfRay_[ray]; }
  // The one nearest to the axis.
  std::uint32_t axisRay() const { return axisRay_; }

  // Fills a tile with all pulses of `group`, of a batch that begins with slot `firstSlot` and pulse `firstPulse`.
  // `pulseOfSlot`: by slot of the batch, its first pulse within the batch.
  void aim(const RayGroup& group, std::uint64_t firstSlot, std::uint64_t firstPulse,
           std::span<const std::uint32_t> pulseOfSlot, RayTile& tile) const;

  // The rays of a pulse of a tile, in the sampler's order.
  std::span<const StencilRay> beamOf(const RayTile& tile, std::size_t pulse) const;

 private:
  const SensorRecipe& sensor_;
  const Trajectory& trajectory_;
  std::uint64_t seed_;
  Vec3d sceneOriginM_;
  BeamSampler sampler_;
  BeamWindow window_;
  std::vector<RayScale> scales_;  // of rays that are the same for every pulse
  std::vector<std::uint32_t> indexOfRay_;
  std::uint32_t axisRay_ = 0;
};

}  // namespace understory
