// Hits of a pulse made by hand.
#pragma once

#include <cstdint>
#include <vector>

#include "core/returns/signal.h"

namespace understory {

// The weight of one of nine equal rays.
inline constexpr float ninth = 1.0F / 9.0F;

// A hit in which its whole ray ends.
inline SignalHit hitAt(float rangeM, float intensity, float weight, std::uint32_t ray,
                       std::uint32_t instance = 0, std::uint32_t primitive = 0) {
  SignalHit hit;
  hit.rangeM = rangeM;
  hit.intensity = intensity;
  hit.weight = weight;
  hit.rayWeight = weight;
  hit.received = intensity;  // as from 1 m
  hit.reflectance = intensity;
  hit.ray = ray;
  hit.instance = instance;
  hit.primitive = primitive;
  hit.index = ray;
  return hit;
}

// Two rays in leaves at 10 m and just behind, a bright stem, three rays on a wall.
inline const std::vector<SignalHit> shrubHits{
    hitAt(14.0F, 0.20F, ninth, 0, 3), hitAt(10.5F, 0.80F, ninth, 1, 2),
    hitAt(10.0F, 0.30F, ninth, 2, 1), hitAt(14.2F, 0.25F, ninth, 3, 3),
    hitAt(10.1F, 0.10F, ninth, 4, 1), hitAt(14.1F, 0.22F, ninth, 5, 3)};

}  // namespace understory
