// The rays of a pulse, whatever its beam: the nine of a stencil, or N drawn from a profile (PHYSICS.md, 1.1).
// Guarantees: weights sum to 1; a beam that is the same for every pulse has its centroid on the axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/sensor/sensorRecipe.h"
#include "core/sensor/stencil.h"

namespace understory {

class BeamSampler {
 public:
  // `seed` counts where rays are drawn anew for each pulse.
  BeamSampler(const SensorRecipe& sensor, std::uint64_t seed);

  std::size_t raysPerPulse() const { return fixed_.size(); }
  // Whether pulses differ in their rays.
  bool isPerPulse() const;
  // The rays of every pulse, or, where pulses differ, the middles of their strata. Ordered so that neighbours
  // in the list are neighbours in the beam, left to right, for packets.
  std::span<const StencilRay> rays() const { return fixed_; }
  // The rays of pulse `pulse` (absolute), as many as raysPerPulse(), into `rays`. Pure; any thread.
  void draw(std::uint64_t pulse, std::span<StencilRay> rays) const;

 private:
  BeamRecipe beam_;
  std::uint64_t seed_ = 0;
  std::uint32_t stream_ = 0;
  std::vector<StencilRay> fixed_;
};

}  // namespace understory
