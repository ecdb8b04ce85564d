// From the hits of a pulse's rays to its returns: Goodin 2018, section 3.2.3 (PHYSICS.md, 1.3).
// Every ray is its own echo (the range resolution is 0).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/sensor/sensorRecipe.h"

namespace understory {

// One ray's hit within the range limits.
struct RayHit {
  float rangeM = 0.0F;          // along the ray
  float intensity = 0.0F;       // reflectance * |cos(incidence)|
  float weight = 0.0F;          // share of the beam's energy
  std::uint32_t instance = 0;   // index of the instance in the scene
  std::uint32_t primitive = 0;  // triangle of its model; a model is one geometry
};

// What the sensor reports, and which hit decided it.
struct PulseReturn {
  float rangeM = 0.0F;
  float intensity = 0.0F;
  float beamShare = 0.0F;
  std::uint32_t decidingHit =
      0;  // index in the hits: its ids, point and normal are the ground truth
};

inline constexpr std::size_t maxReturnsPerPulse = 2;

// Order of hits: by range, then instance, geometry (one for each model) and primitive.
bool isNearer(const RayHit& a, const RayHit& b);

// Returns of one pulse, in order of return_no: strongest before last where both are asked for.
// `hits` has those rays that met something within the range limits, in any order of at most nine;
// without hits there is no return.
std::size_t evaluateReturns(std::span<const RayHit> hits, const ReturnsRecipe& recipe,
                            std::array<PulseReturn, maxReturnsPerPulse>& returns);

}  // namespace understory
