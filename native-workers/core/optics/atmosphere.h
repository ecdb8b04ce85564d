// The air between sensor and surface (PHYSICS.md, 2.3): how much light it absorbs on the path.
#pragma once

#include "contract/contract.h"

namespace understory {

struct Atmosphere {
  double visibilityKm = 0.0;  // 0: no such part
  VisibilityLaw law = VisibilityLaw::kruse;
  double rainMmPerH = 0.0;
  double extinctionPerM = 0.0;  // given outright
};

// Extinction coefficient of all parts together, per metre of one way, at a wavelength in nm.
double extinctionPerM(const Atmosphere& atmosphere, double wavelengthNm);

}  // namespace understory
