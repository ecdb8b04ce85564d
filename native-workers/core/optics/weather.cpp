// Coefficients of what the air holds.
#include "core/optics/weather.h"

#include "core/maths/maths.h"
#include "core/optics/atmosphere.h"

namespace understory {

double extinctionPerM(const Particles& particles) {
  constexpr double m2PerMm2 = 1e-6;
  const auto& [kind, numberPerM3Mm, sizesPerMm, sizeFactor, reflectance] = particles;
  return 0.5 * piRad * numberPerM3Mm * sizeFactor * sizeFactor * m2PerMm2 /
         (sizesPerMm * sizesPerMm * sizesPerMm);
}

double extinctionPerM(const Medium& medium, double wavelengthNm) {
  if (medium.visibilityKm <= 0.0) return medium.extinctionPerM;
  Atmosphere air;
  air.visibilityKm = medium.visibilityKm;
  air.visibilityLaw = VisibilityLaw::kim;
  return extinctionPerM(air, wavelengthNm);
}

}  // namespace understory
