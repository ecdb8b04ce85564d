// Hits of a pulse made by hand.
#pragma once

#include <cstdint>

#include "core/returns/signal.h"

namespace understory {

// A hit in which its whole ray ends.
inline SignalHit hitAt(float rangeM, float intensity, float weight, std::uint32_t ray,
                       std::uint32_t instance = 0, std::uint32_t primitive = 0) {
  SignalHit hit;
  hit.rangeM = rangeM;
  hit.intensity = intensity;
  hit.weight = weight;
  hit.rayWeight = weight;
  hit.reflectance = intensity;
  hit.ray = ray;
  hit.instance = instance;
  hit.primitive = primitive;
  hit.place = ray;
  return hit;
}

}  // namespace understory
