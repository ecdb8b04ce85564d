// From the hits of a pulse's rays to its return by the paper's rule: Goodin 2018, section 3.2.3 (PHYSICS.md, 1.3).
// Every ray is its own echo, and nothing is lost. Returns of separated or detected echoes: signal.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "contract/sensorRecipe.h"

namespace understory {

// One ray's hit within the range limits.
struct RayHit {
  float rangeM = 0.0F;          // along the ray
  float intensity = 0.0F;       // reflectance * |cos(incidence)|
  float weight = 0.0F;          // share of the beam's energy
  std::uint32_t instance = 0;   // index of the instance in the scene
  std::uint32_t primitive = 0;  // triangle of its model; a model is one geometry
};

// The reported values, and the hit that decided them.
struct PulseReturn {
  float rangeM = 0.0F;
  float intensity = 0.0F;
  float beamShare = 0.0F;
  std::uint32_t decidingHit =
      0;  // index in the hits: its ids, point and normal are the ground truth
};

// Order of hits: by range, then instance, geometry (one for each model) and primitive.
bool isNearer(const RayHit& a, const RayHit& b);

// The return of one pulse in a mode that has one return. `hits` has those rays to which something within the range
// limits sends light back, in any order of at most nine; without hits there is no return.
std::optional<PulseReturn> evaluateReturns(std::span<const RayHit> hits,
                                           const ReturnsRecipe& recipe);

}  // namespace understory
