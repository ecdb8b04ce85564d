// The rays of a pulse, whatever its beam: the nine of a stencil, or N drawn from a profile (PHYSICS.md, 1.1).
// Guarantees: every weight is 1 / raysPerPulse(), so they sum to 1. Where a beam is the same for every pulse,
// N rays have (within rounding) their centroid on the axis, and from three rays on exactly the second moments
// <left^2>, <up^2>, <left up> = 0 of the profile; one ray is the axis, two lie above each other. Where a beam
// differs from pulse to pulse, all that holds in the mean over pulses.
//
// Strata: as many as rays, each with the same share of the energy, in strips from left to right. A dithered ray
// lies anywhere in its own stratum, each part of it as likely as the energy there; a random one anywhere in the
// spot. Random numbers: pulseBlock(seed, beam, stream, pulse, ray) of core/random/philox.h; 64 and more random
// rays are then listed in strips as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contract/sensorRecipe.h"
#include "core/sensor/spotProfile.h"
#include "core/sensor/stencil.h"

namespace understory {

class BeamSampler {
 public:
  // `seed` counts where rays are drawn for each pulse. Throws as SpotProfile does.
  BeamSampler(const SensorRecipe& sensor, std::uint64_t seed);

  std::size_t raysPerPulse() const { return fixed_.size(); }
  // Whether pulses differ in their rays.
  bool isPerPulse() const { return isPerPulse_; }
  // The rays of every pulse, or, where pulses differ, the middles of their strata. Ordered so that neighbours
  // in the list are neighbours in the beam, left to right, for packets; a stencil has its own order.
  std::span<const StencilRay> rays() const { return fixed_; }
  // The rays of pulse `pulse` (absolute), as many as raysPerPulse(), into `rays`. Pure; any thread.
  void draw(std::uint64_t pulse, std::span<StencilRay> rays) const;
  // The profile that the rays represent.
  const SpotProfile& profile() const { return profile_; }

 private:
  // A part of the profile's unit square.
  struct Stratum {
    double fromAcross = 0.0;
    double toAcross = 1.0;
    double fromAlong = 0.0;
    double toAlong = 1.0;
  };

  void makeStrata(std::size_t count);
  void makeMiddles();
  void stretchToMoments();
  void spreadByDistance();

  SpotProfile profile_;
  double middleLeft_ = 0.0;  // 0 without Mutation::stencilOffCentre
  std::uint64_t seed_ = 0;
  std::uint32_t stream_ = 0;
  bool isRandom_ = false;
  bool isPerPulse_ = false;
  std::vector<Stratum> strata_;  // by ray; with random rays each the whole square
  std::vector<StencilRay> fixed_;
};

}  // namespace understory
