// Extinction laws (PHYSICS.md, 2.3).
#include "core/optics/atmosphere.h"

#include <cmath>

namespace understory {
namespace {

// Kruse: exponent of the wavelength by visibility in km. Kim 2001 corrects it for fog, below 6 km.
double sizeExponent(double visibilityKm, VisibilityLaw law) {
  if (visibilityKm > 50.0) return 1.6;
  if (visibilityKm > 6.0) return 1.3;
  if (law == VisibilityLaw::kruse) return 0.585 * std::cbrt(visibilityKm);
  if (visibilityKm > 1.0) return 0.16 * visibilityKm + 0.34;
  return visibilityKm > 0.5 ? visibilityKm - 0.5 : 0.0;
}

// alpha = 3.912 / V (lambda / 0.55 um)^-q per km.
double visibilityExtinctionPerM(double visibilityKm, VisibilityLaw law, double wavelengthNm) {
  const double micrometres = wavelengthNm * 1e-3;
  const double perKm =
      3.912 / visibilityKm * std::pow(micrometres / 0.55, -sizeExponent(visibilityKm, law));
  return perKm * 1e-3;
}

}  // namespace

double extinctionPerM(const Atmosphere& atmosphere, double wavelengthNm) {
  double sum = atmosphere.extinctionPerM;
  if (atmosphere.visibilityKm) {
    sum +=
        visibilityExtinctionPerM(*atmosphere.visibilityKm, atmosphere.visibilityLaw, wavelengthNm);
  }
  if (atmosphere.rainMmPerH > 0.0) {
    // Carbonneau and Wisely 1998 (Proc. SPIE 3232), as in ITU-R P.1814: 1.076 R^0.67 dB per km, R in mm/h, at
    // any wavelength far below the drops' size. Published laws differ by a factor of several.
    const double decibelPerKm = 1.076 * std::pow(atmosphere.rainMmPerH, 0.67);
    sum += decibelPerKm * std::log(10.0) / 10.0 * 1e-3;
  }
  return sum;
}

}  // namespace understory
