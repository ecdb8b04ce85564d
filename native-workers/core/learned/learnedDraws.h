// Random draws when a pulse meets a learned or a voxel model, in scans and where models are judged against logs. Each number is
// a pure function of the seed, the sensor, the pulse, the instance and its element or triangle: neither the order of
// queries nor what else a scene has changes one.
//
// Keys of random numbers (core/random/philox.h, pulseBlock), with a seed of the instance's own:
//   learnedPass         number: the primitive; its first two words decide whether a pulse passes, the others the range
//   learnedReflectance  likewise
//   learnedRange        of the seed itself; number: the return. The noise of surfaces
//   voxelLeaf           number: 0; the key of the leaves that the pulse meets (surfaces/embree/voxelDraw.h)
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/scene/scene.h"

namespace understory {

// Key of the draws of a pulse in the voxels of an instance.
using LeafKey = std::array<std::uint32_t, 4>;
LeafKey leafKey(std::uint64_t seed, std::uint32_t stream, std::uint64_t pulse);

class LearnedDraws {
 public:
  // `scene`: whose instances are drawn for; `stream`: SensorRecipe::stream.
  LearnedDraws(const Scene& scene, std::uint64_t seed, std::uint32_t stream);
  // Without a scene: a model by itself, as instance 0, which has id 1.
  explicit LearnedDraws(std::uint64_t seed);

  // Whether a pulse passes an element or a triangle of this permeability.
  bool passes(std::uint32_t instance, std::uint32_t primitive, std::uint64_t pulse,
              float permeability) const;
  // The range on an element that it does not pass: from the normal law around `meanM` above 0, by its inverse.
  float rangeM(std::uint32_t instance, std::uint32_t primitive, std::uint64_t pulse, float meanM,
               float sigmaM) const;
  LeafKey leafKey(std::uint32_t instance, std::uint64_t pulse) const {
    return understory::leafKey(seedOfInstance_[instance], stream_, pulse);
  }
  // From the normal law, at least 0.
  float reflectance(std::uint32_t instance, std::uint32_t primitive, std::uint64_t pulse,
                    float mean, float sigma) const;

 private:
  std::uint32_t stream_;
  std::vector<std::uint64_t> seedOfInstance_;  // by index; 0 for instances of other models
};

// The value of a normal law, limited to above 0, below which lies the share `below` of it, 0 < below < 1:
// meanM + sigmaM * Phi^-1(u + (1 - u) Phi(-meanM / sigmaM)), u = below.
double truncatedNormal(double below, double meanM, double sigmaM);

// Standard deviation of ranges on a surface or a point of a model: sigma_0^2 + sigma_a^2 (sin/cos^2)^2 (Browning 2012,
// equation 1). Grazing incidence counts as at most 84.3 degrees, as for the noise of sensors. Elements have none.
double surfaceSigmaM(const LearnedModel& model, double cosIncidence);

// The error of a range on a surface of that standard deviation, of return `returnNo` of a pulse.
double surfaceErrorM(std::uint64_t seed, std::uint32_t stream, std::uint64_t pulse,
                     std::uint8_t returnNo, double sigmaM);

}  // namespace understory
