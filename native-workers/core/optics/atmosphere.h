// The air between sensor and surface (PHYSICS.md, 2.3): how much light it absorbs on the path.
#pragma once

#include "contract/opticsRecipe.h"

namespace understory {

// Extinction coefficient of all parts together, per metre of one way, at a wavelength in nm.
double extinctionPerM(const Atmosphere& atmosphere, double wavelengthNm);

}  // namespace understory
