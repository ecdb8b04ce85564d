// Drops, flakes and media in the air of a scene (src-main/contract/worker/weatherRecipe.ts): the former each a disc of its
// own, the latter extinction and backscatter alone (PHYSICS.md, 2.8).
#pragma once

#include "contract/opticsRecipe.h"

namespace understory {

// kappa, per metre of one way: half of pi N0 f^2 / Lambda^3, of discs that take what meets them.
double extinctionPerM(const Particles& particles);

// Per metre of one way, at a wavelength in nm.
double extinctionPerM(const Medium& medium, double wavelengthNm);

inline bool isClear(const Weather& weather) {
  return weather.particles.empty() && weather.media.empty() && !weather.plume;
}

}  // namespace understory
